/**
 * Reads a Hugging Face {@code config.json} of a decoder; start at
 * {@link io.knabla.functions.decoder.config.ConfigJson}.
 */
package io.knabla.functions.decoder.config;
