/**
 * What ONNX's operators compute, in plain loops: the oracle for rules, folded constants, and eager runs; start at
 * {@link io.knabla.functions.graph.eval.Evaluator}.
 */
package io.knabla.functions.graph.eval;
