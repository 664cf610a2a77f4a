/** The port "run these replicas", whoever runs them; start at {@link io.knabla.controller.cluster.Cluster}. */
package io.knabla.controller.cluster;
