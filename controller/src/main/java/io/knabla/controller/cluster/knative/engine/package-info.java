/**
 * The engine's runs as Jobs: what they look like, and what came of them; start at
 * {@link io.knabla.controller.cluster.knative.engine.EngineJobs}.
 */
package io.knabla.controller.cluster.knative.engine;
