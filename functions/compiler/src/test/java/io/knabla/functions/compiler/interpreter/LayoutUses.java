package io.knabla.functions.compiler.interpreter;

import io.knabla.functions.compiler.onnx.ElementType;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Consumer;

/** Random samples for operators that move, select and create elements. */
final class LayoutUses {
    private LayoutUses() {}

    static void put(Map<String, Consumer<Sample>> uses) {
        shapes(uses);
        repeats(uses);
        cuts(uses);
        pads(uses);
        gathers(uses);
        scatters(uses);
        orders(uses);
        generators(uses);
    }

    private static void shapes(Map<String, Consumer<Sample>> uses) {
        uses.put(
                "Reshape",
                s -> s.normal(2, 3, 4)
                        .longs(s.one(
                                new long[] {0, -1}, new long[] {4, 6}, new long[] {-1}, new long[] {2, 1, 0, 3, 1}))
                        .exact());
        uses.put("Reshape zeros", s -> s.normal(0, 3).longs(3, 0).with("allowzero", 1L));
        uses.put("Flatten", s -> s.normal(2, 3, 4).with("axis", s.between(-3, 3)));
        uses.put("Squeeze", s -> {
            s.normal(1, 3, 1, 2);
            if (s.random.nextBoolean()) {
                s.longs(s.one(new long[] {0}, new long[] {-2}, new long[] {2, 0}));
            }
        });
        uses.put(
                "Unsqueeze",
                s -> s.normal(3, 2)
                        .longs(s.one(new long[] {0}, new long[] {-1}, new long[] {3, 0}, new long[] {1, -1})));
        uses.put("Transpose", s -> {
            s.normal(2, 3, 4);
            if (s.random.nextBoolean()) {
                s.with("perm", s.one(new long[] {2, 0, 1}, new long[] {0, 2, 1}, new long[] {1, 0, 2}));
            }
        });
    }

    private static void repeats(Map<String, Consumer<Sample>> uses) {
        uses.put("Expand", s -> s.normal(3, 1).longs(s.one(new long[] {3, 4}, new long[] {2, 3, 1}, new long[] {1})));
        uses.put("Tile", s -> s.normal(2, 3).longs(s.between(0, 3), s.between(1, 3)));
        uses.put("DepthToSpace", s -> s.normal(2, 8, 2, 3).with("blocksize", 2L).with("mode", s.one("DCR", "CRD")));
        uses.put("SpaceToDepth", s -> s.normal(2, 3, 4, 6).with("blocksize", 2L));
        uses.put(
                "ReverseSequence",
                s -> s.normal(4, 3, 2)
                        .longs(s.between(1, 4), s.between(1, 4), s.between(1, 4))
                        .with("time_axis", 0L)
                        .with("batch_axis", 1L));
    }

    private static void cuts(Map<String, Consumer<Sample>> uses) {
        uses.put("Concat", s -> {
            int axis = s.between(-3, 2);
            for (int i = s.between(1, 3); i >= 0; i--) {
                s.normal(Dims.with(new int[] {2, 3, 4}, Math.floorMod(axis, 3), s.between(0, 3)));
            }
            s.with("axis", axis).exact();
        });
        uses.put(
                "Split",
                s -> s.normal(3, 7, 2)
                        .longs(2, 0, 5)
                        .with("axis", s.one(1L, -2L))
                        .outputs(3));
        uses.put(
                "Split even",
                s -> s.normal(3, 7).with("axis", 1L).with("num_outputs", 3L).outputs(3));
        uses.put("Slice", s -> {
            int count = s.between(1, 3);
            long[] axes =
                    s.random.ints(0, 3).distinct().limit(count).asLongStream().toArray();
            long[] steps = s.random
                    .longs(count, 1, 4)
                    .map(k -> s.random.nextBoolean() ? k : -k)
                    .toArray();
            long[] ends = s.random.longs(count, -7, 9).toArray();
            for (int i = 0; i < count; i++) {
                // Beyond anything, in the direction of the step: the engine reads MAX its
                // own way going back.
                ends[i] = ends[i] < 8 ? ends[i] : steps[i] > 0 ? Long.MAX_VALUE : Long.MIN_VALUE + 1;
            }
            s.normal(4, 5, 6)
                    .longs(s.random.longs(count, -7, 7).toArray())
                    .longs(ends)
                    .longs(axes)
                    .longs(steps)
                    .exact();
        });
        uses.put(
                "Trilu",
                s -> s.normal(2, s.between(1, 4), s.between(1, 5))
                        .scalar(ElementType.INT64, s.between(-3, 3))
                        .with("upper", s.between(0, 1)));
    }

    private static void pads(Map<String, Consumer<Sample>> uses) {
        uses.put(
                "Pad",
                s -> s.normal(4, 3).longs(s.random.longs(4, -1, 4).toArray()).scalar(ElementType.FLOAT, 1.5));
        uses.put(
                "Pad modes",
                s -> s.normal(4, 3)
                        .longs(s.random.longs(4, 0, 3).toArray())
                        .with("mode", s.one("edge", "reflect", "wrap")));
        uses.put(
                "Pad axes",
                s -> s.integers(ElementType.INT64, 0, 9, 4, 3)
                        .longs(1, 2)
                        .none()
                        .longs(-1));
    }

    private static Sample indices(Sample s, int size, int... dims) {
        return s.integers(s.one(ElementType.INT64, ElementType.INT32), -size, size - 1, dims);
    }

    private static void gathers(Map<String, Consumer<Sample>> uses) {
        uses.put("Gather", s -> {
            int axis = s.between(-3, 2);
            indices(s.normal(2, 3, 4), 2, s.dims(0, 3)).with("axis", axis);
        });
        uses.put("GatherElements", s -> {
            int axis = s.between(-2, 1);
            indices(s.normal(3, 4), 3, s.between(1, 3), s.between(1, 4)).with("axis", axis);
        });
        uses.put("GatherND", s -> s.normal(3, 3, 3).integers(ElementType.INT64, -3, 2, 2, 4, s.between(1, 3)));
        uses.put(
                "GatherND batch",
                s -> s.normal(3, 3, 3)
                        .integers(ElementType.INT64, -3, 2, 3, s.between(1, 2))
                        .with("batch_dims", 1L));
        uses.put("Compress", s -> s.normal(3, 4).booleans(3).with("axis", s.one(0L, -2L)));
        uses.put("Compress flat", s -> s.normal(3, 4).booleans(s.between(1, 12)));
        uses.put(
                "OneHot",
                s -> s.integers(ElementType.INT64, -5, 5, s.dims(1, 3))
                        .scalar(ElementType.INT64, 4)
                        .normal(2)
                        .with("axis", s.one(-1L, 0L, 1L)));
        uses.put("NonZero", s -> s.integers(ElementType.FLOAT, 0, 1, s.dims(1, 3)));
    }

    private static void scatters(Map<String, Consumer<Sample>> uses) {
        uses.put("ScatterElements", s -> {
            int[] dims = {s.between(1, 3), s.between(1, 4)};
            indices(s.normal(3, 4), 3, dims)
                    .normal(dims)
                    .with("axis", s.between(-2, 1))
                    .with("reduction", s.one("add", "mul", "max", "min"));
        });
        uses.put("ScatterElements none", s -> s.normal(4).longs(2, 0).normal(2));
        uses.put("ScatterND", s -> {
            int depth = s.between(1, 3);
            int[] rest = Arrays.copyOf(new int[] {3, 3, 3}, 3 - depth);
            s.normal(3, 3, 3)
                    .integers(ElementType.INT64, -3, 2, 2, 2, depth)
                    .normal(Dims.concat(new int[] {2, 2}, rest))
                    .with("reduction", s.one("add", "mul", "max", "min"));
        });
        uses.put(
                "ScatterND none",
                s -> s.integers(ElementType.INT64, 0, 9, 4, 2)
                        .input(NdArray.whole(ElementType.INT64, new int[] {2, 1}, 2, 0))
                        .integers(ElementType.INT64, 10, 19, 2, 2));
    }

    private static void orders(Map<String, Consumer<Sample>> uses) {
        uses.put(
                "TopK",
                s -> s.integers(ElementType.FLOAT, -4, 4, 3, 5, 4)
                        .longs(s.between(0, 3))
                        .with("axis", s.between(-3, 2))
                        .with("largest", s.between(0, 1))
                        .outputs(2));
        uses.put(
                "Unique",
                s -> s.integers(ElementType.FLOAT, -3, 3, 4, 3)
                        .with("sorted", s.between(0, 1))
                        .outputs(4));
    }

    private static void generators(Map<String, Consumer<Sample>> uses) {
        uses.put(
                "Shape",
                s -> s.normal(2, 3, 0, 4).with("start", s.between(-5, 3)).with("end", s.between(-4, 5)));
        uses.put("Size", s -> s.normal(s.dims(0, 3)));
        uses.put(
                "Range",
                s -> s.scalar(ElementType.FLOAT, 1)
                        .scalar(ElementType.FLOAT, s.between(-5, 9))
                        .scalar(ElementType.FLOAT, s.one(0.5, 2.0, -1.5)));
        uses.put(
                "Range whole",
                s -> s.scalar(ElementType.INT64, 10)
                        .scalar(ElementType.INT64, s.between(-5, 9))
                        .scalar(ElementType.INT64, -s.between(1, 4)));
        uses.put(
                "ConstantOfShape",
                s -> s.longs(s.between(0, 3), 2).with("value", NdArray.whole(ElementType.INT64, new int[] {1}, 7)));
        uses.put("ConstantOfShape zero", s -> s.longs(2, 3));
        uses.put(
                "EyeLike",
                s -> s.normal(3, 4).with("k", s.between(-2, 2)).with("dtype", (long)
                        s.one(ElementType.FLOAT, ElementType.INT64).number()));
        for (String op : new String[] {"HannWindow", "HammingWindow", "BlackmanWindow"}) {
            uses.put(op, s -> s.scalar(ElementType.INT64, s.between(2, 9)).with("periodic", s.between(0, 1)));
        }
    }
}
