/** Tells people when a budget is used up: by webhook, Kubernetes event, metric and log. */
package io.knabla.controller.cost.alert;
