/**
 * Runs the engine as Kubernetes Jobs: writes their manifests and reads their results; start at
 * {@link io.knabla.controller.cluster.knative.engine.EngineJobs}.
 */
package io.knabla.controller.cluster.knative.engine;
