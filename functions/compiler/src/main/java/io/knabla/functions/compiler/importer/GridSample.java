package io.knabla.functions.compiler.importer;

import static io.knabla.functions.compiler.importer.LoweringHelpers.one;
import static io.knabla.functions.compiler.importer.LoweringHelpers.requiredInput;

import io.knabla.functions.compiler.ir.Lowering;
import io.knabla.functions.compiler.ir.Lowering.Call;
import io.knabla.functions.compiler.ir.Ops;
import io.knabla.functions.compiler.ir.Value;
import io.knabla.functions.compiler.onnx.Dim;
import io.knabla.functions.compiler.onnx.ElementType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;

/** Lowers GridSample: gathers the pixels around each point and weights them by distance. */
final class GridSample {
    private static final List<String> LINEAR = List.of("bilinear", "linear");

    private GridSample() {}

    static void register(Map<String, Lowering> table) {
        table.put("GridSample", GridSample::sample);
    }

    /**
     * @param image {@code [N, C, sizes…]}
     * @param padding zeros, border or reflection
     */
    private record Sampling(Ops code, Value image, long[] sizes, String padding, boolean corners) {

        /** Converts a coordinate from -1 … 1 to pixels. */
        Value pixels(Value place, int axis) {
            long size = sizes[axis];
            Value moved = code.add(place, 1.0);
            return corners ? code.mul(moved, (size - 1) / 2.0) : code.add(code.mul(moved, size / 2.0), -0.5);
        }

        /** Maps a point outside the image back into it, except with zero padding. */
        Value returned(Value pixel, int axis) {
            return switch (padding) {
                case "border" -> code.op("Clip", pixel, code.scalar(pixel, 0), code.scalar(pixel, sizes[axis] - 1.0));
                case "reflection" -> reflected(pixel, axis);
                default -> pixel;
            };
        }

        /** Reflects between the centres, or the outer edges, of the first and last pixel. */
        private Value reflected(Value pixel, int axis) {
            double low = corners ? 0 : -0.5;
            double range = corners ? sizes[axis] - 1 : sizes[axis];
            if (range <= 0) {
                return code.zeros(pixel);
            }
            Value away = code.abs(code.add(pixel, -low));
            Value rounds = code.op("Floor", code.div(away, 2 * range));
            Value left = code.sub(away, code.mul(rounds, 2 * range));
            Value back = code.sub(code.scalar(left, 2 * range), left);
            return code.add(code.min(left, back), low);
        }

        /** 1 if the pixel is in the image, else 0; null if every pixel is. */
        Value inside(Value pixel, int axis) {
            if (!padding.equals("zeros")) {
                return null;
            }
            Value after = code.greaterOrEqual(pixel, code.scalar(pixel, 0));
            Value before = code.lessOrEqual(pixel, code.scalar(pixel, sizes[axis] - 1.0));
            return code.indicator(code.and(after, before), pixel);
        }

        Value index(Value pixel, int axis) {
            Value near = returned(pixel, axis);
            Value within = code.op("Clip", near, code.scalar(near, 0), code.scalar(near, sizes[axis] - 1.0));
            return code.cast(code.op("Round", within), ElementType.INT64);
        }

        /** Pixels at integer positions, {@code [N, points…, C]}, multiplied by their weights. */
        Value gathered(List<Value> pixels, List<Value> shares) {
            Value flat = null;
            for (int axis = 0; axis < sizes.length; axis++) {
                Value index = index(pixels.get(axis), axis);
                flat = flat == null ? index : code.add(code.mul(flat, sizes[axis]), index);
                Value inside = inside(pixels.get(axis), axis);
                if (inside != null) {
                    shares.add(inside);
                }
            }
            long points = LongStream.of(sizes).reduce(1, Math::multiplyExact);
            Value batch = code.mul(code.indices(code.sizeOf(image, 0)), points);
            Value start = code.unsqueeze(batch, LoweringHelpers.range(1, sizes.length + 1L));
            Value found = code.gather(rows(points), code.add(flat, start), 0);
            for (Value share : shares) {
                found = code.mul(found, code.unsqueeze(share, sizes.length + 1L));
            }
            return found;
        }

        /** One row of channels per pixel. */
        private Value rows(long points) {
            Value channels = code.transpose(code.reshape(image, 0, 0, points), 0, 2, 1);
            Value shape = LoweringHelpers.joined(code, code.ints(-1), code.sizeOf(image, 1));
            return code.op("Reshape", channels, shape);
        }
    }

    private static Optional<List<Value>> sample(Ops code, Call call) {
        Value image = requiredInput(call, 0);
        Value grid = requiredInput(call, 1);
        String mode = call.attributes().text("mode", call.opset() < 20 ? "bilinear" : "linear");
        boolean nearest = mode.equals("nearest");
        if (!nearest && !LINEAR.contains(mode)) {
            return Optional.empty();
        }
        long[] sizes = new long[image.rank() - 2];
        for (int i = 0; i < sizes.length; i++) {
            if (!(image.dim(i + 2) instanceof Dim.Known(var size)) || size < 1) {
                return Optional.empty();
            }
            sizes[i] = size;
        }
        var sampling = new Sampling(
                code,
                image,
                sizes,
                call.attributes().text("padding_mode", "zeros"),
                call.attributes().integer("align_corners", 0) == 1);
        List<Value> pixels = new ArrayList<>();
        for (int axis = 0; axis < sizes.length; axis++) {
            // Points list their coordinates from the last axis on: x, y, z.
            Value place = code.gather(grid, code.integer(sizes.length - 1L - axis), grid.rank() - 1);
            Value pixel = sampling.pixels(place, axis);
            pixels.add(nearest ? code.op("Round", pixel) : sampling.returned(pixel, axis));
        }
        Value sum = nearest ? sampling.gathered(pixels, new ArrayList<>()) : around(sampling, pixels);
        var order = new ArrayList<>(List.of(0L, sizes.length + 1L));
        order.addAll(LoweringHelpers.range(1, sizes.length + 1L));
        return one(code.transpose(sum, order));
    }

    /** Sum over the corners of the pixel box around each point. */
    private static Value around(Sampling sampling, List<Value> pixels) {
        Ops code = sampling.code();
        Value sum = null;
        for (int corner = 0; corner < 1 << pixels.size(); corner++) {
            var places = new ArrayList<Value>();
            var shares = new ArrayList<Value>();
            for (int axis = 0; axis < pixels.size(); axis++) {
                Value low = code.op("Floor", pixels.get(axis));
                Value high = code.sub(pixels.get(axis), low);
                boolean upper = (corner >> axis & 1) == 1;
                places.add(upper ? code.add(low, 1.0) : low);
                shares.add(upper ? high : code.sub(code.scalar(high, 1), high));
            }
            Value part = sampling.gathered(places, shares);
            sum = sum == null ? part : code.add(sum, part);
        }
        return sum;
    }
}
