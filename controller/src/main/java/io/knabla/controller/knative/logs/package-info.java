/** Reads the logs of pods through the API server; start at {@link io.knabla.controller.knative.logs.PodLogs}. */
package io.knabla.controller.knative.logs;
