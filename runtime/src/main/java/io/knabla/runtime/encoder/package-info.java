/**
 * Gives texts vectors or scores, in runs that concurrent callers share; start at
 * {@link io.knabla.runtime.encoder.BatchedEncoder}.
 */
package io.knabla.runtime.encoder;
