/** Replays traces of spot capacity against policies: what they cost, and which requests they lose. */
package io.knabla.controller.simulate.spot;
