package io.knabla.functions.compiler.autodiff.rules;

import io.knabla.functions.compiler.autodiff.reverse.Rule;
import io.knabla.functions.compiler.autodiff.reverse.RuleContext;
import io.knabla.functions.compiler.ir.Attributes;
import io.knabla.functions.compiler.ir.Op;
import io.knabla.functions.compiler.ir.UnsupportedOperatorException;
import io.knabla.functions.compiler.ir.Value;
import io.knabla.functions.compiler.onnx.ElementType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Derivative rule of GridSample: differentiates its decomposition into a weighted sum of the pixels around each point.
 * The weights depend on the point.
 */
final class GridSampling {
    /** Coefficient of Keys' cubic convolution in PyTorch and ONNX. */
    private static final double CUBIC = -0.75;

    private GridSampling() {}

    static void register(Map<String, Rule> table) {
        table.put("GridSample", CompositeRule.rule((at, op, in) -> new Sampler(at, op, in).sampled()));
    }

    /**
     * One pixel along one axis, for every point.
     *
     * @param index within the axis
     * @param weight 0 if the pixel lies outside an image padded with zeros
     */
    private record Tap(Value index, Value weight) {}

    private record Sampler(RuleContext at, Op op, List<Value> in) {
        Value x() {
            return in.get(0);
        }

        int axes() {
            return x().rank() - 2;
        }

        Value sampled() {
            Value batch = at.sizeOf(x(), 0);
            Value channels = at.sizeOf(x(), 1);
            // No size is left to the engine as -1, which it refuses in an empty batch.
            Value flat = at.reshape(x(), known(batch, channels, product(x(), 2, x().rank())));
            Value points = product(in.get(1), 1, axes() + 1);
            Value line = known(batch, at.ints(1), points);
            Value sum = null;
            for (Tap tap : taps()) {
                Value row = at.expand(at.reshape(tap.index, line), known(batch, channels, points));
                Value picked = at.op("GatherElements", Attributes.of("axis", 2), flat, row);
                Value weight = at.reshape(tap.weight, line);
                Value term = at.mul(picked, weight);
                sum = sum == null ? term : at.add(sum, term);
            }
            return at.reshape(sum, at.shapeOf(op.output()));
        }

        /** Elements along some axes, as a vector of one element. */
        private Value product(Value of, int from, int to) {
            Value product = at.ints(1);
            for (int axis = from; axis < to; axis++) {
                product = at.mul(product, at.sizeOf(of, axis));
            }
            return product;
        }

        private Value known(Value... parts) {
            return ScatterHelpers.foldConstants(at, at.concat(0, parts));
        }

        /** All combinations of pixels along the axes, with indices into the flat image. */
        private List<Tap> taps() {
            List<Tap> all = null;
            for (int axis = 0; axis < axes(); axis++) {
                var next = new ArrayList<Tap>();
                for (Tap tap : along(axis)) {
                    if (all == null) {
                        next.add(tap);
                        continue;
                    }
                    Value size = at.squeeze(at.sizeOf(x(), axis + 2), 0);
                    for (Tap before : all) {
                        Value index = at.add(at.mul(before.index, size), tap.index);
                        next.add(new Tap(index, at.mul(before.weight, tap.weight)));
                    }
                }
                all = next;
            }
            return all;
        }

        private List<Tap> along(int axis) {
            Value size = at.castLike(at.squeeze(at.sizeOf(x(), axis + 2), 0), x());
            Value last = at.add(size, -1);
            Value grid = in.get(1);
            Value place = at.gather(grid, at.integer(axes() - 1 - axis), grid.rank() - 1);
            Value half = at.mul(at.add(place, 1), 0.5);
            Value point = aligned() ? at.mul(half, last) : at.add(at.mul(half, size), -0.5);
            String mode = op.attributes().text("mode", "linear");
            return switch (mode) {
                case "nearest" -> List.of(tap(at.op("Round", point), at.full(point, 1), size, last));
                case "linear", "bilinear" -> {
                    Value floor = at.op("Floor", point);
                    Value t = at.sub(point, floor);
                    yield List.of(
                            tap(floor, at.sub(at.scalar(t, 1), t), size, last), tap(at.add(floor, 1), t, size, last));
                }
                case "cubic", "bicubic" -> cubic(point, size, last);
                default -> throw new UnsupportedOperatorException("has no derivative in the mode " + mode);
            };
        }

        private boolean aligned() {
            return op.attributes().integer("align_corners", 0) == 1;
        }

        private List<Tap> cubic(Value point, Value size, Value last) {
            Value floor = at.op("Floor", point);
            Value t = at.sub(point, floor);
            Value s = at.sub(at.scalar(t, 1), t);
            return List.of(
                    tap(at.add(floor, -1), far(at.add(t, 1)), size, last),
                    tap(floor, near(t), size, last),
                    tap(at.add(floor, 1), near(s), size, last),
                    tap(at.add(floor, 2), far(at.add(s, 1)), size, last));
        }

        /** Keys' kernel at distances of at most 1 pixel. */
        private Value near(Value t) {
            Value inner = at.add(at.mul(t, CUBIC + 2), -(CUBIC + 3));
            return at.add(at.mul(at.square(t), inner), 1);
        }

        /** Keys' kernel at distances of 1 to 2 pixels. */
        private Value far(Value t) {
            Value inner = at.add(at.mul(t, CUBIC), -5 * CUBIC);
            return at.add(at.mul(at.add(at.mul(inner, t), 8 * CUBIC), t), -4 * CUBIC);
        }

        private Tap tap(Value pixel, Value weight, Value size, Value last) {
            String padding = op.attributes().text("padding_mode", "zeros");
            Value zero = at.scalar(pixel, 0);
            Value inside = padding.equals("reflection") ? reflected(pixel, size, last) : pixel;
            Value index = at.max(at.min(inside, last), zero);
            Value seen = weight;
            if (padding.equals("zeros")) {
                Value there = at.and(at.greaterOrEqual(pixel, zero), at.lessOrEqual(pixel, last));
                seen = at.where(there, weight, zero);
            }
            return new Tap(at.cast(index, ElementType.INT64), seen);
        }

        /** Mirrored at the centres of the outer pixels, or at their edges. */
        private Value reflected(Value pixel, Value size, Value last) {
            Value low = at.scalar(pixel, aligned() ? 0 : -0.5);
            Value span = aligned() ? at.max(last, at.scalar(last, 0.5)) : size;
            Value away = at.abs(at.sub(pixel, low));
            Value turns = at.op("Floor", at.div(away, span));
            Value rest = at.sub(away, at.mul(turns, span));
            Value even = at.mul(at.op("Floor", at.mul(turns, 0.5)), 2);
            Value there = at.where(at.equal(even, turns), rest, at.sub(span, rest));
            return at.op("Round", at.add(there, low));
        }
    }
}
