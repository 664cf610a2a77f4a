/** The objects that a function asks of Kubernetes and Knative: pure answers. */
package io.knabla.controller.cluster.knative.manifest;
