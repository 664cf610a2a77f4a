/** Draws comparisons of spot policies. */
package io.knabla.controller.spot.report;
