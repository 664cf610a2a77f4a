/**
 * Asks the API server which calls of this controller's account are refused, before they are needed; start at
 * {@link io.knabla.controller.knative.rights.AccountRights}.
 */
package io.knabla.controller.knative.rights;
