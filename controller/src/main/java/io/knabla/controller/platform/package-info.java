/** Ports to the platform that runs replicas; start at {@link io.knabla.controller.platform.Cluster}. */
package io.knabla.controller.platform;
