package io.knabla.functions.compiler.interpreter;

import java.util.Map;
import java.util.function.Consumer;

/** Random samples for matrix products, convolutions, pooling, Fourier transforms and Resize. */
final class WindowUses {
    private WindowUses() {}

    static void put(Map<String, Consumer<Sample>> uses) {
        products(uses);
        sums(uses);
        convolutions(uses);
        poolings(uses);
        transforms(uses);
    }

    private static void products(Map<String, Consumer<Sample>> uses) {
        uses.put("MatMul", s -> {
            int[] outer = s.dims(0, 2);
            int k = s.between(1, 6);
            s.normal(Dims.concat(outer, new int[] {s.between(1, 4), k}))
                    .normal(Dims.concat(s.partner(outer), new int[] {k, s.between(1, 4)}));
        });
        uses.put("MatMul vectors", s -> {
            if (s.random.nextBoolean()) {
                s.normal(3).normal(s.one(new int[] {3}, new int[] {2, 3, 4}));
            } else {
                s.normal(2, 4, 3).normal(3);
            }
        });
        uses.put("Gemm", s -> {
            int a = s.between(0, 1);
            int b = s.between(0, 1);
            s.normal(a == 1 ? new int[] {3, 2} : new int[] {2, 3})
                    .normal(b == 1 ? new int[] {4, 3} : new int[] {3, 4})
                    .with("transA", a)
                    .with("transB", b)
                    .with("alpha", 0.7)
                    .with("beta", 1.3);
            if (s.random.nextBoolean()) {
                s.normal(s.one(new int[] {4}, new int[] {2, 1}, new int[] {2, 4}, new int[0]));
            }
        });
    }

    private static void sums(Map<String, Consumer<Sample>> uses) {
        uses.put(
                "Einsum",
                s -> s.normal(2, 3, 4)
                        .normal(2, 4, 5)
                        .with(
                                "equation",
                                s.one("bij,bjk->bik", "...ij,...jk->...ik", "bij,bjk", "bij,bjk->", "bij,bjk->kb")));
        uses.put(
                "Einsum one",
                s -> s.normal(3, 3, 2).with("equation", s.one("iij->j", "ijk->kji", "...k->...", "iij->i")));
        uses.put("Einsum three", s -> s.normal(2, 3).normal(3, 4).normal(4).with("equation", "ij,jk,k->i"));
        uses.put("Det", s -> s.normal(2, 3, 3).within(1e-5));
    }

    private static Sample motion(Sample s, int axes) {
        long[] strides = s.random.longs(axes, 1, 3).toArray();
        s.with("strides", strides);
        if (s.random.nextInt(3) == 0) {
            return s.with("auto_pad", s.one("SAME_UPPER", "SAME_LOWER", "VALID"));
        }
        return s.with("pads", s.random.longs(2 * axes, 0, 2).toArray());
    }

    private static void convolutions(Map<String, Consumer<Sample>> uses) {
        uses.put("Conv", s -> {
            int groups = s.between(1, 2);
            s.normal(2, 2 * groups, 7, 6).normal(3 * groups, 2, s.between(1, 3), s.between(1, 3));
            motion(s, 2).with("group", groups).within(1e-5);
            if (s.attributes.stream().noneMatch(a -> a.getName().equals("auto_pad"))) {
                s.with("dilations", s.random.longs(2, 1, 3).toArray());
            }
            if (s.random.nextBoolean()) {
                s.normal(3 * groups);
            }
        });
        uses.put("Conv line", s -> motion(s.normal(2, 3, 9).normal(4, 3, 3), 1).within(1e-5));
        uses.put(
                "Conv cube",
                s -> motion(s.normal(1, 2, 4, 5, 4).normal(3, 2, 2, 3, 2), 3).within(1e-5));
        uses.put("ConvTranspose", s -> {
            int groups = s.between(1, 2);
            s.normal(2, 2 * groups, 4, 3).normal(2 * groups, 3, 3, s.between(2, 3));
            motion(s, 2).with("group", groups).within(1e-5);
            if (s.attributes.stream().noneMatch(a -> a.getName().equals("auto_pad"))) {
                s.with("dilations", s.random.longs(2, 1, 3).toArray());
            }
            if (s.random.nextBoolean()) {
                s.normal(3 * groups);
            }
        });
        uses.put(
                "ConvTranspose padding",
                s -> s.normal(1, 2, 3, 3)
                        .normal(2, 2, 3, 3)
                        .with("strides", 2L, 2L)
                        .with("output_padding", 1L, 1L)
                        .within(1e-5));
        uses.put(
                "ConvTranspose shaped",
                s -> s.normal(1, 2, 3, 3)
                        .normal(2, 2, 3, 3)
                        .with("strides", 2L, 2L)
                        .with("output_shape", s.between(6, 8), 7)
                        .within(1e-5));
        uses.put("Col2Im", s -> s.normal(2, 3 * 4, 12).longs(5, 4).longs(2, 2));
    }

    private static void poolings(Map<String, Consumer<Sample>> uses) {
        uses.put(
                "MaxPool",
                s -> pooled(s)
                        .with("dilations", 1L, s.between(1, 2))
                        .with("storage_order", s.between(0, 1))
                        .outputs(2));
        uses.put("AveragePool", s -> pooled(s).with("count_include_pad", s.between(0, 1)));
        uses.put(
                "MaxPool auto",
                s -> s.normal(1, 2, 6, 7)
                        .with("kernel_shape", 2L, 3L)
                        .with("strides", 2L, 2L)
                        .with("ceil_mode", s.between(0, 1))
                        .with("auto_pad", s.one("SAME_UPPER", "SAME_LOWER", "VALID")));
        uses.put(
                "LpPool",
                s -> s.normal(1, 2, 6, 7)
                        .with("kernel_shape", 2L, 3L)
                        .with("p", s.between(1, 3))
                        .with("strides", 2L, 1L));
        for (String op : new String[] {"GlobalAveragePool", "GlobalMaxPool", "GlobalLpPool"}) {
            uses.put(op, s -> s.normal(2, 3, 4, 5));
        }
        uses.put(
                "MaxUnpool",
                s -> s.normal(1, 1, 2, 2)
                        .input(NdArray.whole(
                                io.knabla.functions.compiler.onnx.ElementType.INT64,
                                new int[] {1, 1, 2, 2},
                                5,
                                7,
                                13,
                                15))
                        .with("kernel_shape", 2L, 2L)
                        .with("strides", 2L, 2L));
    }

    private static Sample pooled(Sample s) {
        return s.normal(2, 2, s.between(6, 8), 7)
                .with("kernel_shape", 3L, 2L)
                .with("strides", s.between(1, 2), s.between(1, 3))
                .with("pads", s.between(0, 1), s.between(0, 1), s.between(0, 1), s.between(0, 1))
                .with("ceil_mode", s.between(0, 1));
    }

    private static void transforms(Map<String, Consumer<Sample>> uses) {
        uses.put("DFT", s -> {
            s.normal(2, 6, 3, s.between(1, 2));
            if (s.random.nextBoolean()) {
                s.scalar(io.knabla.functions.compiler.onnx.ElementType.INT64, s.between(4, 8));
            } else {
                s.none();
            }
            s.scalar(io.knabla.functions.compiler.onnx.ElementType.INT64, s.one(1, 2, -2))
                    .within(1e-5);
            s.with(s.one("inverse", "onesided"), s.inputs.getFirst().dim(-1) == 1 ? 0 : 0);
        });
        uses.put("DFT inverse", s -> s.normal(2, 6, 2).with("inverse", 1L).within(1e-5));
        uses.put(
                "DFT half",
                s -> s.normal(2, s.between(5, 6), 1).with("onesided", 1L).within(1e-5));
        uses.put(
                "Resize nearest",
                s -> sized(s.with("mode", "nearest")
                        .with("nearest_mode", s.one("round_prefer_floor", "round_prefer_ceil", "floor", "ceil"))));
        uses.put("Resize linear", s -> sized(s.with("mode", "linear")));
        uses.put(
                "Resize cubic",
                s -> sized(s.with("mode", "cubic").with("exclude_outside", s.between(0, 1)))
                        .within(1e-5));
        uses.put(
                "Resize scales",
                s -> s.normal(1, 2, 4, 5)
                        .none()
                        .input(NdArray.floats(new int[] {4}, 1, 1, s.one(0.6, 1.7, 2.0), s.one(0.8, 2.5)))
                        .with("mode", s.one("linear", "nearest"))
                        .with("coordinate_transformation_mode", s.one("half_pixel", "asymmetric")));
    }

    private static Sample sized(Sample s) {
        return s.normal(1, 2, 4, 5)
                .none()
                .none()
                .longs(1, 2, s.between(2, 9), s.between(2, 9))
                .with(
                        "coordinate_transformation_mode",
                        s.one(
                                "half_pixel",
                                "asymmetric",
                                "align_corners",
                                "pytorch_half_pixel",
                                "half_pixel_symmetric"));
    }
}
