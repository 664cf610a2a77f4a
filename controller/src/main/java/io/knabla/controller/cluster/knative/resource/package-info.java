/** A Function as the API server keeps it. */
package io.knabla.controller.cluster.knative.resource;
