/**
 * Groups costs by function, place or time, and writes them as CSV, FOCUS, JSON, or cells of a terminal's table; start
 * at {@link io.knabla.controller.cost.report.CostTable}.
 */
package io.knabla.controller.cost.report;
