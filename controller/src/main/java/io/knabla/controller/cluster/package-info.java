/** Ports to the platform that runs replicas; start at {@link io.knabla.controller.cluster.Cluster}. */
package io.knabla.controller.cluster;
