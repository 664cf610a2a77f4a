/** Elects the one controller that reconciles, by a Kubernetes Lease; start at {@code Leadership}. */
package io.knabla.controller.knative.leader;
