/**
 * Runs the engine as Kubernetes Jobs: writes their manifests and reads their results; start at
 * {@link io.knabla.controller.knative.jobs.EngineJobs}.
 */
package io.knabla.controller.knative.jobs;
