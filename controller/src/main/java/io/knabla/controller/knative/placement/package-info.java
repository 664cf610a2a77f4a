/** Divides replicas on a cluster between spot and on-demand capacity, as the spot policies decide. */
package io.knabla.controller.knative.placement;
