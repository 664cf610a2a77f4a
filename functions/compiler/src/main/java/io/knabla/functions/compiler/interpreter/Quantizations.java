package io.knabla.functions.compiler.interpreter;

import io.knabla.functions.compiler.onnx.ElementType;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Kernels of quantization and dequantization. */
final class Quantizations {
    private Quantizations() {}

    static void register(Map<String, Kernel> table) {
        table.put("QuantizeLinear", (Kernel.SingleOutput) Quantizations::quantize);
        table.put("DequantizeLinear", (Kernel.SingleOutput) Quantizations::dequantize);
        table.put("DynamicQuantizeLinear", Quantizations::dynamic);
    }

    /** Position of the scale for each element: one scale for all, or one for each index along an axis. */
    private static int[] scales(Call call, NdArray x, NdArray scale) {
        if (scale.size() == 1) {
            return new int[x.size()];
        }
        int[] along = new int[x.rank()];
        Arrays.fill(along, 1);
        along[call.axis(1, x.rank())] = scale.size();
        return Dims.spread(along, x.dims());
    }

    private static NdArray quantize(Call call) {
        NdArray x = call.input(0);
        NdArray scale = call.input(1);
        ElementType element = call.maybe(2).map(NdArray::element).orElse(ElementType.UINT8);
        int[] at = scales(call, x, scale);
        return call.whole(element, x.dims(), i -> {
            double steps = (float) (x.real(i) / scale.real(at[i]));
            return saturated(
                    element, Math.rint(steps) + (call.has(2) ? call.input(2).whole(at[i]) : 0));
        });
    }

    private static long saturated(ElementType element, double value) {
        return (long)
                switch (element) {
                    case UINT8 -> Math.clamp(value, 0.0, 255.0);
                    case INT8 -> Math.clamp(value, -128.0, 127.0);
                    case UINT16 -> Math.clamp(value, 0.0, 65535.0);
                    case INT16 -> Math.clamp(value, -32768.0, 32767.0);
                    default -> throw new EvaluationException("quantized to " + element);
                };
    }

    private static NdArray dequantize(Call call) {
        NdArray x = call.input(0);
        NdArray scale = call.input(1);
        int[] at = scales(call, x, scale);
        return call.reals(
                scale.element(),
                x.dims(),
                i -> (x.whole(i) - (call.has(2) ? call.input(2).whole(at[i]) : 0)) * scale.real(at[i]));
    }

    /** Quantizes to UINT8 by the range of the data, which always includes zero. */
    private static List<NdArray> dynamic(Call call) {
        NdArray x = call.input(0);
        double least = Math.min(0, Arrays.stream(x.reals()).min().orElse(0));
        double most = Math.max(0, Arrays.stream(x.reals()).max().orElse(0));
        float scale = (float) ((most - least) / 255);
        double zero = Math.rint(Math.clamp(scale == 0 ? 0 : (float) (-least / scale), 0.0, 255.0));
        return List.of(
                call.whole(
                        ElementType.UINT8,
                        x.dims(),
                        i -> saturated(
                                ElementType.UINT8, Math.rint(scale == 0 ? 0 : (float) (x.real(i) / scale)) + zero)),
                NdArray.scalar(ElementType.FLOAT, scale),
                NdArray.scalar(ElementType.UINT8, zero));
    }
}
