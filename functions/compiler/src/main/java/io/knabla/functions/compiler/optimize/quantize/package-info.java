/**
 * Quantises weights and activations of inference models to 8-bit integers; start at
 * {@link io.knabla.functions.compiler.optimize.quantize.Quantizer}.
 */
package io.knabla.functions.compiler.optimize.quantize;
