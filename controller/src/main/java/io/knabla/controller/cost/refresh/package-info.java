/** Refreshes prices from their providers while the controller runs, if it is switched on. */
package io.knabla.controller.cost.refresh;
