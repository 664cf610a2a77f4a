/**
 * Measures the scales of a decoder's 8-bit keys and values; start at
 * {@link io.knabla.runtime.generation.calibrate.CacheScales}.
 */
package io.knabla.runtime.generation.calibrate;
