/**
 * Interprets ONNX operators in plain loops, for constant folding, eager execution and as the reference for tests; start
 * at {@link io.knabla.functions.compiler.interpreter.Evaluator}.
 */
package io.knabla.functions.compiler.interpreter;
