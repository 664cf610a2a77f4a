/**
 * Checks whether a cluster's Knative release and settings support Knabla; start at
 * {@link io.knabla.controller.knative.preflight.Preflight}.
 */
package io.knabla.controller.knative.preflight;
