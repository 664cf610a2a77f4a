package io.knabla.functions.compiler.trace;

import io.knabla.functions.compiler.ir.Attributes;
import java.util.List;

/** Neural network layers and losses. */
public sealed interface Layers permits Tensor {
    Tensor self();

    /** {@code [.., n, k]} times {@code [.., k, m]}; leading axes broadcast. */
    default Tensor matmul(Tensor other) {
        return Tensor.operation("MatMul", Attributes.NONE, self(), other);
    }

    /** {@code x·weight + bias}, for {@code weight [in, out]} and {@code bias [out]}. */
    default Tensor linear(Tensor weight, Tensor bias) {
        return matmul(weight).add(bias);
    }

    default Tensor softmax(int axis) {
        return Tensor.operation("Softmax", Attributes.of("axis", axis), self());
    }

    default Tensor logSoftmax(int axis) {
        return Tensor.operation("LogSoftmax", Attributes.of("axis", axis), self());
    }

    /** Mean 0 and variance 1 over the last axis, then scale and bias of its size. */
    default Tensor layerNorm(Tensor scale, Tensor bias, double epsilon) {
        Attributes attributes = Attributes.of("axis", -1).with("epsilon", epsilon);
        return Tensor.operation("LayerNormalization", attributes, self(), scale, bias);
    }

    /**
     * {@code [batch, in, h, w]} by {@code weight [out, in, kh, kw]}.
     *
     * @param bias {@code [out]}, or null for none
     * @param padding zeros added on each side
     */
    default Tensor conv2d(Tensor weight, Tensor bias, int stride, int padding) {
        return Tensor.operation("Conv", motion(stride, padding), self(), weight, bias);
    }

    default Tensor maxPool2d(int size, int stride) {
        return Tensor.operation("MaxPool", motion(stride, 0).with("kernel_shape", both(size)), self());
    }

    default Tensor averagePool2d(int size, int stride) {
        return Tensor.operation("AveragePool", motion(stride, 0).with("kernel_shape", both(size)), self());
    }

    private static List<Long> both(long size) {
        return List.of(size, size);
    }

    private static Attributes motion(long stride, long padding) {
        return Attributes.of("strides", both(stride)).with("pads", List.of(padding, padding, padding, padding));
    }

    /** Selects rows of this {@code [words, size]} table by index. */
    default Tensor embedding(Tensor ids) {
        return Tensor.operation("Gather", Attributes.of("axis", 0), self(), ids);
    }

    /**
     * Softmax attention of {@code [.., n, d]} queries (this) on {@code [.., m, d]} keys and {@code [.., m, v]} values.
     */
    default Tensor attention(Tensor keys, Tensor values) {
        double scale = 1 / Math.sqrt(self().dim(-1));
        return matmul(keys.transpose()).mul(scale).softmax(-1).matmul(values);
    }

    /**
     * The mean over the batch of −log p(label), for {@code [batch, classes]} logits (this) and INT64 {@code [batch]}
     * labels.
     */
    default Tensor crossEntropy(Tensor labels) {
        return Tensor.operation("SoftmaxCrossEntropyLoss", Attributes.of("reduction", "mean"), self(), labels);
    }

    /** The mean of the squared differences. */
    default Tensor meanSquaredError(Tensor target) {
        return self().sub(target).square().mean();
    }

    /** The mean of the absolute differences. */
    default Tensor meanAbsoluteError(Tensor target) {
        return self().sub(target).abs().mean();
    }

    /** The mean binary cross entropy of logits (this) against probabilities, without overflow. */
    default Tensor binaryCrossEntropy(Tensor target) {
        Tensor x = self();
        return x.relu().sub(x.mul(target)).add(x.abs().neg().softplus()).mean();
    }
}
