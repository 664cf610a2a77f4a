/**
 * Writes a cost report as an HTML page that loads nothing from other servers; start at
 * {@link io.knabla.controller.cost.page.CostPage}.
 */
package io.knabla.controller.cost.page;
