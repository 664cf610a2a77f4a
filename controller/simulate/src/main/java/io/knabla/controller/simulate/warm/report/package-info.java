/** Draws what simulated keep-warm policies cost and save. */
package io.knabla.controller.simulate.warm.report;
