/**
 * Derives the capacity that a cluster offers from its nodes and Karpenter's NodePools; start at
 * {@link io.knabla.controller.knative.capacity.AvailableCapacity}.
 */
package io.knabla.controller.knative.capacity;
