/** Receives what providers announce of a cluster's nodes: by taints, and by a queue. */
package io.knabla.controller.knative.signal;
