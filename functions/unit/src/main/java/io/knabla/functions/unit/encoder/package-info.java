/**
 * Holds what a replica must know of a unit that reads texts, beside its graph and tokenizer; start at
 * {@link io.knabla.functions.unit.encoder.EncoderSettings}.
 */
package io.knabla.functions.unit.encoder;
