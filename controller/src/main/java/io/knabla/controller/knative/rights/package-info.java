/**
 * Asks the API server which calls of the controller's service account are refused, before they are needed; start at
 * {@link io.knabla.controller.knative.rights.RefusedTasks}.
 */
package io.knabla.controller.knative.rights;
