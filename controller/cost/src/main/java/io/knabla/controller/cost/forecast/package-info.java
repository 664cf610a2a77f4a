/** Estimates what a function will cost before it is deployed. */
package io.knabla.controller.cost.forecast;
