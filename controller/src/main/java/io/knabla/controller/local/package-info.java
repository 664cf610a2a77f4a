/**
 * Runs replicas as child processes on loopback ports, on virtual nodes; start at
 * {@link io.knabla.controller.local.LocalCluster}.
 */
package io.knabla.controller.local;
