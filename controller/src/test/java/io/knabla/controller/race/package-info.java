/** Races controllers in separate processes for one catalog and checks linearizability of the history. */
package io.knabla.controller.race;
