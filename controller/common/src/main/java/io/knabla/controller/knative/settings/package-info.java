/**
 * Reads the features and limits that Knative's ConfigMaps set; start at
 * {@link io.knabla.controller.knative.settings.Features}.
 */
package io.knabla.controller.knative.settings;
