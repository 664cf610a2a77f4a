/** Spot policies that were published, and a bound from foresight, which no function can choose. */
package io.knabla.controller.simulate.spot.baseline;
