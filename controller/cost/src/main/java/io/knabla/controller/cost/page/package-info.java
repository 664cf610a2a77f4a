/**
 * Writes a cost report as one HTML page that loads nothing from elsewhere; start at
 * {@link io.knabla.controller.cost.page.CostPage}.
 */
package io.knabla.controller.cost.page;
