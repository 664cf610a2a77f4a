/**
 * Writes a decoder as an ONNX graph with its weights beside it; start at
 * {@link io.knabla.functions.decoder.graph.DecoderGraph}.
 */
package io.knabla.functions.decoder.graph;
