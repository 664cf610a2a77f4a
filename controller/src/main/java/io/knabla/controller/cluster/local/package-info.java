/**
 * Runs replicas as child processes on loopback ports, on virtual nodes; start at
 * {@link io.knabla.controller.cluster.local.LocalCluster}.
 */
package io.knabla.controller.cluster.local;
