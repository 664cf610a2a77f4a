/**
 * Runs a wake pool in each namespace that opted in: a pod that answers for the functions without pods; start at
 * {@link io.knabla.controller.knative.wake.WakePools}.
 */
package io.knabla.controller.knative.wake;
