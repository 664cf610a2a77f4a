/**
 * Runs the replica process: reads its settings, serves or runs one mode, reports events; start at
 * {@link io.knabla.runtime.Main}.
 */
package io.knabla.runtime;
