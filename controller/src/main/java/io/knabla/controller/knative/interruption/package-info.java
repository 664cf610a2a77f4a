/** Moves replicas off nodes that are taken back, and off nodes that are lost before Kubernetes notices. */
package io.knabla.controller.knative.interruption;
