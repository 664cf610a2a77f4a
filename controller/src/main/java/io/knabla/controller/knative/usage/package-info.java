/**
 * Reads from pods, nodes and events what functions use on a cluster; start at
 * {@link io.knabla.controller.knative.usage.ClusterUsage}.
 */
package io.knabla.controller.knative.usage;
