/** Draws comparisons of spot policies. */
package io.knabla.controller.simulate.spot.report;
