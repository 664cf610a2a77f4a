package io.knabla.functions.compiler.interpreter;

import io.knabla.functions.compiler.onnx.ElementType;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Consumer;

/** Random samples for reductions, softmax, normalisations, losses, quantisation and recurrent layers. */
final class ReduceUses {
    private ReduceUses() {}

    static void put(Map<String, Consumer<Sample>> uses) {
        reductions(uses);
        softmaxes(uses);
        normalizations(uses);
        losses(uses);
        quantizations(uses);
        recurrences(uses);
    }

    private static final String[] REDUCE = {
        "ReduceSum",
        "ReduceMean",
        "ReduceMax",
        "ReduceMin",
        "ReduceL1",
        "ReduceL2",
        "ReduceSumSquare",
        "ReduceLogSumExp",
        "ReduceProd"
    };

    private static Sample axes(Sample s, int rank) {
        if (s.random.nextInt(4) == 0) {
            return s;
        }
        long[] all = s.random
                .ints(0, rank)
                .distinct()
                .limit(s.between(1, rank))
                .asLongStream()
                .toArray();
        return s.longs(Arrays.stream(all)
                .map(a -> s.random.nextBoolean() ? a : a - rank)
                .toArray());
    }

    private static void reductions(Map<String, Consumer<Sample>> uses) {
        for (String op : REDUCE) {
            uses.put(op, s -> {
                int[] dims = s.dims(1, 4);
                axes(s.normal(dims).with("keepdims", s.between(0, 1)), dims.length)
                        .within(1e-5);
            });
        }
        uses.put("ReduceLogSum", s -> axes(s.uniform(0.1, 3, 3, 4, 2), 3).within(1e-5));
        uses.put("ReduceSum noop", s -> s.normal(2, 3).with("noop_with_empty_axes", 1L));
        uses.put("ReduceSum whole", s -> axes(s.integers(ElementType.INT64, -9, 9, 2, 3, 4), 3));
        uses.put("ReduceMax whole", s -> axes(s.integers(ElementType.INT64, -9, 9, 2, 3, 4), 3));
        uses.put("ArgMax", ReduceUses::arg);
        uses.put("ArgMin", ReduceUses::arg);
    }

    private static void arg(Sample s) {
        int[] dims = s.dims(1, 4);
        s.integers(ElementType.FLOAT, -3, 3, dims)
                .with("axis", s.between(-dims.length, dims.length - 1))
                .with("keepdims", s.between(0, 1))
                .with("select_last_index", s.between(0, 1));
    }

    private static void softmaxes(Map<String, Consumer<Sample>> uses) {
        for (String op : new String[] {"Softmax", "LogSoftmax", "Hardmax"}) {
            uses.put(op, s -> {
                int[] dims = s.dims(1, 4);
                s.uniform(-9, 9, dims).with("axis", s.between(-dims.length, dims.length - 1));
            });
        }
        uses.put("CumSum", s -> {
            int[] dims = s.dims(1, 4);
            s.normal(dims)
                    .scalar(ElementType.INT64, s.between(-dims.length, dims.length - 1))
                    .with("exclusive", s.between(0, 1))
                    .with("reverse", s.between(0, 1));
        });
        uses.put("CumSum whole", s -> s.integers(ElementType.INT64, -9, 9, 3, 4).scalar(ElementType.INT64, 1));
    }

    private static void normalizations(Map<String, Consumer<Sample>> uses) {
        uses.put("LayerNormalization", s -> {
            int axis = s.between(1, 2);
            int[] dims = {s.between(1, 4), s.between(2, 5), s.between(3, 7)};
            int[] scale = Arrays.copyOfRange(dims, axis, 3);
            s.normal(dims).normal(scale).outputs(3).within(1e-5).with("axis", s.one(axis, axis - 3));
            if (s.random.nextBoolean()) {
                s.normal(scale);
            }
        });
        uses.put("RMSNormalization", s -> s.normal(2, 3, 6).normal(6).opset(23).within(1e-5));
        uses.put("BatchNormalization", s -> {
            int c = s.between(1, 4);
            s.normal(2, c, 3, 2)
                    .normal(c)
                    .normal(c)
                    .normal(c)
                    .uniform(0.2, 2, c)
                    .within(1e-5);
        });
        uses.put("BatchNormalization training", s -> {
            int c = s.between(1, 4);
            s.normal(2, c, 3, 2).normal(c).normal(c).normal(c).uniform(0.2, 2, c);
            s.with("training_mode", 1L).outputs(3).within(1e-5);
        });
        uses.put(
                "InstanceNormalization",
                s -> s.normal(2, 3, 4, 2).normal(3).normal(3).within(1e-5));
        uses.put(
                "GroupNormalization",
                s -> s.normal(2, 4, 3)
                        .normal(4)
                        .normal(4)
                        .with("num_groups", 2L)
                        .opset(21)
                        .within(1e-5));
        uses.put(
                "LpNormalization",
                s -> s.normal(3, 4, 2).with("p", s.between(1, 2)).with("axis", s.between(-3, 2)));
        uses.put("MeanVarianceNormalization", s -> s.normal(2, 3, 4, 3).within(1e-5));
        uses.put(
                "LRN",
                s -> s.normal(2, 5, 3, 2)
                        .with("size", s.one(1L, 3L, 5L))
                        .with("alpha", 0.1)
                        .with("bias", 2.0)
                        .within(1e-5));
    }

    private static void losses(Map<String, Consumer<Sample>> uses) {
        uses.put("SoftmaxCrossEntropyLoss", s -> labelled(s).outputs(2));
        uses.put("NegativeLogLikelihoodLoss", ReduceUses::labelled);
    }

    private static Sample labelled(Sample s) {
        int classes = s.between(2, 5);
        int[] rest = s.dims(0, 2);
        s.normal(Dims.concat(new int[] {3, classes}, rest))
                .integers(ElementType.INT64, 0, classes - 1, Dims.concat(new int[] {3}, rest))
                .with("reduction", s.one("none", "mean", "sum"));
        if (s.random.nextBoolean()) {
            s.uniform(0.1, 2, classes);
        }
        return s.random.nextBoolean() ? s.with("ignore_index", 0L).within(1e-5) : s.within(1e-5);
    }

    private static void quantizations(Map<String, Consumer<Sample>> uses) {
        uses.put("QuantizeLinear", s -> {
            ElementType to = s.one(ElementType.UINT8, ElementType.INT8);
            s.uniform(-3, 3, 2, 3, 4)
                    .uniform(0.01, 0.05, 3)
                    .integers(to, 0, 100, 3)
                    .with("axis", 1L)
                    .within(0.004);
        });
        uses.put(
                "QuantizeLinear one",
                s -> s.uniform(-3, 3, 2, 3)
                        .scalar(ElementType.FLOAT, 0.03)
                        .none()
                        .within(0.004));
        uses.put(
                "DequantizeLinear",
                s -> s.integers(ElementType.INT8, -128, 127, 2, 3, 4)
                        .uniform(0.01, 0.05, 3)
                        .integers(ElementType.INT8, -9, 9, 3)
                        .with("axis", 1L));
        uses.put(
                "DynamicQuantizeLinear",
                s -> s.uniform(-3, s.one(-1.0, 5.0), s.dims(1, 3)).outputs(3).within(0.004));
        // The second operand has 7 bits: on CPUs with AVX2 and without VNNI, the engine saturates larger sums silently.
        uses.put(
                "MatMulInteger",
                s -> s.integers(ElementType.UINT8, 0, 255, 2, 3, 4)
                        .integers(ElementType.INT8, -64, 63, 4, 5)
                        .scalar(ElementType.UINT8, s.between(0, 200))
                        .scalar(ElementType.INT8, 0)
                        .exact());
        uses.put(
                "ConvInteger",
                s -> s.integers(ElementType.UINT8, 0, 255, 1, 2, 4, 5)
                        .integers(ElementType.UINT8, 0, 255, 3, 2, 2, 3)
                        .scalar(ElementType.UINT8, s.between(0, 200))
                        .scalar(ElementType.UINT8, s.between(0, 200))
                        .exact());
    }

    private static void recurrences(Map<String, Consumer<Sample>> uses) {
        uses.put("LSTM", s -> layer(s, 4, 3));
        uses.put("GRU", s -> layer(s, 3, 2).with("linear_before_reset", s.between(0, 1)));
        uses.put("RNN", s -> layer(s, 1, 2));
        uses.put("LSTM peephole", s -> {
            layer(s, 4, 3);
            while (s.inputs.size() < 7) {
                s.none();
            }
            int directions = s.inputs.get(1).dim(0);
            s.normal(directions, 3 * s.inputs.get(2).dim(2));
        });
    }

    private static Sample layer(Sample s, int gates, int outputs) {
        String direction = s.one("forward", "reverse", "bidirectional");
        int directions = direction.equals("bidirectional") ? 2 : 1;
        int steps = s.between(1, 4);
        int batch = s.between(1, 3);
        int in = s.between(1, 3);
        int hidden = s.between(1, 4);
        s.normal(steps, batch, in)
                .normal(directions, gates * hidden, in)
                .normal(directions, gates * hidden, hidden)
                .with("direction", direction)
                .with("hidden_size", hidden)
                .outputs(outputs)
                .within(1e-5);
        if (s.random.nextBoolean()) {
            s.normal(directions, 2 * gates * hidden);
            if (s.random.nextBoolean()) {
                s.integers(ElementType.INT32, 1, steps, batch).normal(directions, batch, hidden);
            }
        }
        return s;
    }
}
