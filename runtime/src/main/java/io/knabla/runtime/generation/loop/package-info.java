/**
 * Runs the steps of all texts on one thread, which owns the decoder; start at
 * {@link io.knabla.runtime.generation.loop.TextGenerator}.
 */
package io.knabla.runtime.generation.loop;
