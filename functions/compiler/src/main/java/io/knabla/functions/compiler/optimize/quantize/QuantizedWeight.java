package io.knabla.functions.compiler.optimize.quantize;

import ai.onnx.proto.OnnxMl.TensorProto;
import io.knabla.functions.compiler.interpreter.NdArray;
import io.knabla.functions.compiler.onnx.ElementType;

/**
 * A weight quantised symmetrically to signed integers, with one scale per channel.
 *
 * @param scales FLOAT, by channel
 * @param error root mean square error, relative to the root mean square of the weight
 */
record QuantizedWeight(TensorProto values, TensorProto scales, double[] scale, double error) {

    /** @param axis of the channels */
    static QuantizedWeight quantize(NdArray weight, int axis, int bits) {
        int[] dims = weight.dims();
        int channels = dims[axis];
        int inner = 1;
        for (int d = axis + 1; d < dims.length; d++) {
            inner *= dims[d];
        }
        double top = (1 << (bits - 1)) - 1;
        double[] most = new double[channels];
        for (int i = 0; i < weight.size(); i++) {
            int channel = i / inner % channels;
            most[channel] = Math.max(most[channel], Math.abs(weight.real(i)));
        }
        double[] scale = new double[channels];
        for (int c = 0; c < channels; c++) {
            scale[c] = most[c] == 0 ? 1 : (float) (most[c] / top);
        }
        long[] values = new long[weight.size()];
        double change = 0;
        double square = 0;
        for (int i = 0; i < values.length; i++) {
            double step = scale[i / inner % channels];
            values[i] = (long) Math.clamp(Math.rint(weight.real(i) / step), -top, top);
            double off = values[i] * step - weight.real(i);
            change += off * off;
            square += weight.real(i) * weight.real(i);
        }
        return new QuantizedWeight(
                NdArray.whole(ElementType.INT8, dims, values).toProto(""),
                NdArray.floats(new int[] {channels}, scale).toProto(""),
                scale,
                square == 0 ? 0 : Math.sqrt(change / square));
    }

    /** Zero points of the channels, all 0; stated because the engine's fusions look for them. */
    TensorProto zeroPoints() {
        return NdArray.whole(ElementType.INT8, new int[] {scale.length}, new long[scale.length])
                .toProto("");
    }

    /** Quantises a bias in the units of the products that it is added to. */
    TensorProto bias(NdArray bias, double activationScale) {
        long[] values = new long[scale.length];
        for (int c = 0; c < values.length; c++) {
            double steps = Math.rint(bias.real(c) / (activationScale * scale[c]));
            values[c] = (long) Math.clamp(steps, Integer.MIN_VALUE, Integer.MAX_VALUE);
        }
        return NdArray.whole(ElementType.INT32, new int[] {values.length}, values)
                .toProto("");
    }

    TensorProto biasScales(double activationScale) {
        double[] scales = new double[scale.length];
        for (int c = 0; c < scales.length; c++) {
            scales[c] = activationScale * scale[c];
        }
        return NdArray.floats(new int[] {scales.length}, scales).toProto("");
    }
}
