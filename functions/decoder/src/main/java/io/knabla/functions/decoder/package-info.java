/**
 * Says what a language model in a Hugging Face folder takes to run; start at
 * {@link io.knabla.functions.decoder.DecoderAnalysis}.
 */
package io.knabla.functions.decoder;
