/** What a cluster must have switched on, and what to do where it has not. */
package io.knabla.controller.cluster.knative.preflight;
