/** Judges whether what clients of one register saw can be told as one sequence of operations. */
package io.knabla.storage.history;
