/**
 * Says what a model in a Hugging Face folder takes to run; start at {@link io.knabla.functions.decoder.DecoderAnalysis}
 * and {@link io.knabla.functions.decoder.EncoderAnalysis}.
 */
package io.knabla.functions.decoder;
