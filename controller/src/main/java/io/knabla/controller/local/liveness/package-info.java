/** Probes the health of replica processes, and decides when one that does not answer is routed around and killed. */
package io.knabla.controller.local.liveness;
