/** What pods wrote, read where they are; start at {@link io.knabla.controller.cluster.knative.logs.PodLogs}. */
package io.knabla.controller.cluster.knative.logs;
