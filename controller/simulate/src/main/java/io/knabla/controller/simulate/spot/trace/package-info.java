/** Reads traces of spot capacity: what each zone offered, and when it took replicas back. */
package io.knabla.controller.simulate.spot.trace;
