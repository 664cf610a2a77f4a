package io.knabla.functions.compiler.importer;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.functions.compiler.interpreter.NdArray;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Lowering of operators from older opsets, compared with the engine, which still supports them. */
class LegacyOpsetsTest {
    private final Map<String, LoweringCase> uses = new LinkedHashMap<>();

    private LoweringCase use(String op, long opset) {
        LoweringCase use = LoweringCase.of(op, opset);
        uses.put("%s-%d #%d".formatted(op, opset, uses.size()), use);
        return use;
    }

    @TestFactory
    Stream<DynamicTest> loweredModelsAgreeWithOriginals() {
        axes();
        bounds();
        images();
        layers();
        return uses.entrySet().stream().map(use -> DynamicTest.dynamicTest(use.getKey(), use.getValue()::check));
    }

    private void axes() {
        use("Squeeze", 11).x(1, 3, 1).ints("axes", -1);
        use("Squeeze", 11).x(1, 3, 1);
        use("Squeeze", 13).x(1, 3, 1).longs(-1, 0);
        use("Unsqueeze", 11).x(2, 3).ints("axes", 3, 0);
        use("Unsqueeze", 13).x(2, 3).longs(-1, 1);
        use("Split", 11).x(7, 2).ints("split", 3, 4).outputs(2);
        use("Split", 11).x(6, 2).with("axis", -2).outputs(3);
        use("Split", 18).x(7, 2).with("num_outputs", 3).outputs(3);
        for (String op : List.of("Softmax", "LogSoftmax", "Hardmax")) {
            use(op, 11).x(2, 3, 4);
            use(op, 11).x(2, 3, 4).with("axis", 2);
            use(op, 11).x(2, 3, 4).with("axis", 0);
            use(op, 13).x(2, 3, 4).with("axis", 1);
        }
        for (String op : List.of("ReduceSum", "ReduceMean", "ReduceMax", "ReduceL2", "ReduceL1")) {
            use(op, 11).x(2, 3, 4).ints("axes", -1, 0).with("keepdims", 0);
            use(op, 11).x(2, 3, 4);
            use(op, 18).x(2, 3, 4).longs(1).with("keepdims", 0);
            use(op, 18).x(2, 3, 4).with("keepdims", 0);
        }
        use("ReduceSum", 13).x(2, 3).with("noop_with_empty_axes", 1);
        use("ReduceSumSquare", 18).x(2, 3).with("noop_with_empty_axes", 1);
        use("ReduceL2", 18).x(2, 3).with("noop_with_empty_axes", 1);
        use("ReduceLogSumExp", 18).x(2, 3).with("noop_with_empty_axes", 1);
        use("Flatten", 9).x(2, 3, 4).with("axis", 2);
        use("Concat", 11).x(2, 3).x(2, 3).with("axis", -1);
        use("Transpose", 11).x(2, 3, 4);
        use("Scatter", 9)
                .x(3, 3)
                .input(NdArray.longs(0, 2, 1).withDims(1, 3), true)
                .x(1, 3)
                .with("axis", 1);
    }

    private void bounds() {
        use("Clip", 6).x(3, 4).with("min", -0.5).with("max", 0.25);
        use("Clip", 6).x(3, 4).with("max", 0.25);
        use("Clip", 11).x(3, 4);
        use("Pad", 9).x(2, 3).ints("pads", 0, 1, 2, 0).with("value", 1.5);
        use("Pad", 9).x(3, 4).ints("pads", 1, 1, 1, 2).with("mode", "reflect");
        use("Pad", 18).x(2, 3, 4).longs(1, 2).none().longs(-1).with("mode", "edge");
        use("Pad", 18).x(2, 3, 4).longs(1, 0, 2, 3).none().longs(2, 0);
        use("Slice", 9).x(5, 6).ints("starts", 1, -3).ints("ends", 9, -1).ints("axes", 0, 1);
        use("Slice", 9).x(5, 6).ints("starts", 2).ints("ends", 4);
        use("Slice", 13).x(5, 6).longs(-1).longs(-9).longs(-1).longs(-2);
        use("TopK", 9).x(3, 5).with("k", 2).with("axis", 0).outputs(2);
        use("TopK", 11).x(3, 5).longs(2).with("largest", 0).outputs(2);
        use("Dropout", 7).x(3, 4).with("ratio", 0.3);
        use("Dropout", 10).x(3, 4).outputs(2);
        use("Dropout", 13).x(3, 4);
        use("Reshape", 5).x(2, 6).longs(3, -1);
        use("Cast", 9).x(2, 2).with("to", 7);
        use("Gemm", 7).x(2, 3).weight(3, 4).weight(4).with("alpha", 0.5).with("beta", 2.0);
        use("Gemm", 11).x(3, 2).weight(4, 3).with("transA", 1).with("transB", 1);
        use("PRelu", 9).x(2, 3, 4).weight(3, 1);
        use("Sum", 8).x(2, 3).x(3).x(2, 1);
        use("Mean", 8).x(2, 3).x(2, 3).x(2, 3);
        use("Max", 8).x(2, 3).x(2, 3).x(2, 3);
        use("Min", 8).x(2, 3);
        use("DFT", 17).x(2, 8, 1).with("axis", 1).with("onesided", 1);
    }

    private void images() {
        use("Upsample", 7).x(1, 2, 3, 3).reals("scales", 1, 1, 2, 2).with("mode", "nearest");
        use("Upsample", 7).x(1, 1, 3, 3).reals("scales", 1, 1, 2, 2).with("mode", "linear");
        use("Upsample", 9).x(1, 2, 3, 3).input(scales(1, 1, 2, 3), true);
        use("Resize", 10).x(1, 2, 4, 4).input(scales(1, 1, 0.5, 0.5), true);
        use("Resize", 10).x(1, 1, 4, 4).input(scales(1, 1, 2, 2), true).with("mode", "linear");
        use("Resize", 18)
                .x(1, 2, 4, 4)
                .none()
                .none()
                .longs(8, 6)
                .ints("axes", 2, 3)
                .with("mode", "linear");
        use("Resize", 18).x(1, 2, 4, 4).none().input(scales(2), true).ints("axes", -1);
        for (String pad : List.of("SAME_UPPER", "SAME_LOWER", "VALID")) {
            use("Conv", 11)
                    .x(1, 2, 7, 6)
                    .weight(3, 2, 3, 2)
                    .ints("strides", 2, 2)
                    .with("auto_pad", pad);
            use("MaxPool", 12)
                    .x(1, 2, 7, 6)
                    .ints("kernel_shape", 3, 2)
                    .ints("strides", 2, 2)
                    .with("auto_pad", pad)
                    .outputs(2);
            use("AveragePool", 11)
                    .x(1, 2, 7, 6)
                    .ints("kernel_shape", 3, 2)
                    .ints("strides", 2, 3)
                    .with("auto_pad", pad);
            use("ConvTranspose", 11)
                    .x(1, 2, 4, 3)
                    .weight(2, 3, 3, 3)
                    .ints("strides", 2, 2)
                    .with("auto_pad", pad);
        }
        use("ConvTranspose", 11)
                .x(1, 2, 4, 3)
                .weight(2, 3, 3, 3)
                .ints("strides", 3, 2)
                .ints("output_shape", 11, 6);
        use("ConvTranspose", 11)
                .x(1, 2, 4, 3)
                .weight(2, 3, 3, 3)
                .ints("strides", 3, 2)
                .ints("output_padding", 1, 0)
                .ints("output_shape", 14, 8);
        use("ConvTranspose", 11)
                .x(1, 2, 4, 3)
                .weight(2, 3, 3, 3)
                .ints("strides", 2, 2)
                .ints("output_padding", 1, 0)
                .ints("pads", 1, 0, 0, 1);
        pools();
    }

    private void pools() {
        use("Det", 11).x(2, 4, 4);
        use("Det", 11).x(1, 1);
        for (String mode : List.of("bilinear", "nearest")) {
            for (String padding : List.of("zeros", "border", "reflection")) {
                use("GridSample", 16)
                        .x(2, 3, 4, 5)
                        .x(2, 6, 2, 2)
                        .with("mode", mode)
                        .with("padding_mode", padding);
                use("GridSample", 16)
                        .x(2, 3, 4, 5)
                        .x(2, 3, 3, 2)
                        .with("mode", mode)
                        .with("padding_mode", padding)
                        .with("align_corners", 1);
            }
        }
        use("GridSample", 20).x(1, 2, 3, 4, 2).x(1, 2, 2, 3, 3);
        use("LpPool", 18).x(1, 2, 6, 6).ints("kernel_shape", 2, 3).with("p", 3).ints("pads", 1, 1, 0, 0);
        use("LpPool", 11).x(1, 2, 6, 6).ints("kernel_shape", 2, 2).ints("strides", 2, 2);
        use("GlobalLpPool", 2).x(1, 2, 3, 3).with("p", 3);
        use("GlobalAveragePool", 1).x(1, 2, 3, 3);
        use("GlobalMaxPool", 1).x(1, 2, 3, 3);
        use("DepthToSpace", 11).x(1, 8, 2, 3).with("blocksize", 2).with("mode", "CRD");
        use("DepthToSpace", 1).x(1, 8, 2, 3).with("blocksize", 2);
        use("SpaceToDepth", 1).x(1, 2, 4, 6).with("blocksize", 2);
        use("Col2Im", 18).x(2, 12, 16).longs(5, 5).longs(2, 3).ints("pads", 0, 1, 0, 0);
        use("AffineGrid", 20).x(2, 2, 3).longs(2, 1, 3, 4);
        use("AffineGrid", 20).x(2, 3, 4).longs(2, 1, 2, 3, 4).with("align_corners", 1);
        use("STFT", 17).x(2, 16, 1).input(whole(4), true).weight(8).input(whole(8), true);
    }

    private static NdArray whole(long value) {
        return NdArray.longs(value).withDims();
    }

    private static NdArray scales(double... scales) {
        return NdArray.floats(new int[] {scales.length}, scales);
    }

    private void layers() {
        use("BatchNormalization", 7).x(2, 3, 4).weight(3).weight(3).weight(3).positive(3);
        use("BatchNormalization", 14)
                .x(2, 3, 4)
                .weight(3)
                .weight(3)
                .weight(3)
                .positive(3)
                .with("training_mode", 1)
                .with("momentum", 0.7)
                .outputs(3);
        use("InstanceNormalization", 6).x(2, 3, 4, 2).weight(3).weight(3);
        use("InstanceNormalization", 6).x(2, 3, 4).weight(3).weight(3);
        use("GroupNormalization", 18).x(2, 6, 3, 3).weight(2).weight(2).with("num_groups", 2);
        use("GroupNormalization", 21).x(2, 6, 3, 3).weight(6).weight(6).with("num_groups", 2);
        use("MeanVarianceNormalization", 13).x(2, 3, 4, 4);
        use("LRN", 13).x(2, 5, 3, 3).with("size", 3).with("alpha", 0.1).with("beta", 0.6);
        use("LpNormalization", 1).x(3, 4).with("p", 1).with("axis", 0);
        use("LpNormalization", 1).x(3, 4);
        use("RMSNormalization", 23).x(2, 3, 4).weight(4);
        use("RMSNormalization", 23).x(2, 3, 4).weight(3, 4).with("axis", 1);
        for (String op : List.of("LSTM", "GRU", "RNN")) {
            int gates = op.equals("LSTM") ? 4 : op.equals("GRU") ? 3 : 1;
            use(op, 7)
                    .x(3, 2, 4)
                    .weight(1, gates * 5, 4)
                    .weight(1, gates * 5, 5)
                    .with("hidden_size", 5)
                    .outputs(2);
        }
        use("Compress", 11).x(4, 3).input(bits(1, 0, 1, 1), true).with("axis", 0);
        use("Unique", 11).x(6).outputs(4);
    }

    private static NdArray bits(long... bits) {
        return NdArray.whole(io.knabla.functions.compiler.onnx.ElementType.BOOL, new int[] {bits.length}, bits);
    }

    @TestFactory
    Stream<DynamicTest> lowersAllComposites() {
        layers();
        images();
        return uses.entrySet().stream()
                .map(use -> DynamicTest.dynamicTest(
                        use.getKey(),
                        () -> assertThat(use.getValue().operations()).doesNotContainAnyElementsOf(COMPOSITES)));
    }

    private static final List<String> COMPOSITES = List.of(
            "InstanceNormalization",
            "GroupNormalization",
            "MeanVarianceNormalization",
            "RMSNormalization",
            "LpNormalization",
            "LRN",
            "LpPool",
            "GlobalLpPool",
            "GlobalAveragePool",
            "GlobalMaxPool",
            "DepthToSpace",
            "SpaceToDepth",
            "Col2Im",
            "AffineGrid",
            "GridSample",
            "Det",
            "STFT",
            "Upsample",
            "Scatter");
}
