/**
 * Writes a model as an ONNX graph with its weights beside it; start at
 * {@link io.knabla.functions.decoder.graph.DecoderGraph} and {@link io.knabla.functions.decoder.graph.EncoderGraph}.
 */
package io.knabla.functions.decoder.graph;
