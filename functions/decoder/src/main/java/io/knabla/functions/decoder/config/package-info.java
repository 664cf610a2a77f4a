/**
 * Reads a Hugging Face {@code config.json}: of a decoder, start at
 * {@link io.knabla.functions.decoder.config.ConfigJson}; of an encoder, at
 * {@link io.knabla.functions.decoder.config.EncoderJson}.
 */
package io.knabla.functions.decoder.config;
