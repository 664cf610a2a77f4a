/**
 * Traces models and losses written as ordinary Java: executed eagerly during development, recorded once as a graph for
 * deployment; start at {@link io.knabla.functions.compiler.trace.Trace}.
 *
 * <pre>{@code
 * record Net(Tensor weight, Tensor bias) {
 *     Tensor logits(Tensor x) {
 *         return x.linear(weight, bias);
 *     }
 *
 *     Tensor loss(Tensor x, Tensor labels) {
 *         return logits(x).crossEntropy(labels);
 *     }
 * }
 *
 * var net =
 *         new Net(
 *                 Tensors.normal(new Random(1), 0.1, 64, 10).named("weight"),
 *                 Tensors.zeros(10).named("bias"));
 * // Eager: every line is computed as it stands, in a debugger too.
 * Tensor loss = net.loss(Tensors.ones(2, 64), Tensors.longs(3, 7));
 * // Traced: the same code, written down once as a graph for any batch.
 * Traced traced =
 *         Trace.of(
 *                 Signature.of("x", ElementType.FLOAT, "batch", 64)
 *                         .and("labels", ElementType.INT64, "batch"),
 *                 in -> Outputs.of("loss", net.loss(in.get("x"), in.get("labels"))));
 * traced.save(folder.resolve("model.onnx"));
 * }</pre>
 */
package io.knabla.functions.compiler.trace;
