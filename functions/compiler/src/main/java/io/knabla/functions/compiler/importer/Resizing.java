package io.knabla.functions.compiler.importer;

import static io.knabla.functions.compiler.importer.LoweringHelpers.axis;
import static io.knabla.functions.compiler.importer.LoweringHelpers.inputs;
import static io.knabla.functions.compiler.importer.LoweringHelpers.recreate;
import static io.knabla.functions.compiler.importer.LoweringHelpers.requiredInput;

import io.knabla.functions.compiler.ir.Attributes;
import io.knabla.functions.compiler.ir.Constants;
import io.knabla.functions.compiler.ir.Lowering.Call;
import io.knabla.functions.compiler.ir.Ops;
import io.knabla.functions.compiler.ir.UnsupportedOperatorException;
import io.knabla.functions.compiler.ir.Value;
import io.knabla.functions.compiler.onnx.ElementType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** Lowers Resize to scales or sizes for all axes, and Upsample to Resize. */
final class Resizing {
    private static final int SIZES_AND_MODES = 11;

    private Resizing() {}

    static Optional<List<Value>> upsample(Ops code, Call call) {
        Attributes given = call.attributes();
        List<Double> factors;
        if (given.has("scales")) {
            factors = doubles(given.reals("scales").orElseThrow());
        } else if (given.has("height_scale")) {
            factors = List.of(1.0, 1.0, given.real("height_scale", 1), given.real("width_scale", 1));
        } else {
            return asymmetric(code, call, requiredInput(call, 1), true);
        }
        return asymmetric(code, call, scales(code, factors), true);
    }

    /** Before opset 11 every Resize was asymmetric; nearest meant the pixel before or, when shrinking, after. */
    private static Optional<List<Value>> asymmetric(Ops code, Call call, Value scales, boolean grows) {
        String mode = call.attributes().text("mode", "nearest");
        Attributes attributes = Attributes.of("mode", mode.equals("bilinear") ? "linear" : mode)
                .with("coordinate_transformation_mode", "asymmetric")
                .with("nearest_mode", grows ? "floor" : "ceil");
        return recreate(code, call, "Resize", attributes, inputs(requiredInput(call, 0), null, scales));
    }

    private static List<Double> doubles(List<Float> floats) {
        return floats.stream().map(Float::doubleValue).toList();
    }

    private static Value scales(Ops code, List<Double> factors) {
        double[] values = factors.stream().mapToDouble(f -> f).toArray();
        return code.builder().constant(Constants.tensor(ElementType.FLOAT, List.of((long) values.length), values));
    }

    static Optional<List<Value>> resize(Ops code, Call call) {
        if (call.opset() < SIZES_AND_MODES) {
            Value scales = requiredInput(call, 1);
            List<Double> factors = ConstantEvaluation.reals(scales)
                    .orElseThrow(() -> new UnsupportedOperatorException("needs its scales as constants"));
            boolean grows = factors.stream().allMatch(f -> f >= 1);
            boolean nearest = call.attributes().text("mode", "nearest").equals("nearest");
            if (nearest && !grows && factors.stream().anyMatch(f -> f > 1)) {
                throw new UnsupportedOperatorException(
                        "grows one axis and shrinks another to the nearest pixel, which only opset 10 could say; export with a newer opset");
            }
            return asymmetric(code, call, scales, grows);
        }
        if (call.attributes().text("coordinate_transformation_mode", "").equals("tf_half_pixel_for_nn")) {
            throw new UnsupportedOperatorException(
                    "uses tf_half_pixel_for_nn, which ONNX dropped; export with opset 13 or newer");
        }
        Optional<List<Long>> axes = call.attributes().integers("axes");
        return axes.isPresent() ? spread(code, call, axes.get()) : cleaned(code, call);
    }

    /** Old opsets use empty tensors for omitted inputs. */
    private static Optional<List<Value>> cleaned(Ops code, Call call) {
        var present = new ArrayList<Value>();
        for (int i = 0; i < 4; i++) {
            Value input = call.input(i);
            boolean empty = input != null
                    && i > 0
                    && input.shape().filter(s -> s.elements().is(0)).isPresent();
            present.add(empty ? null : input);
        }
        return recreate(code, call, call.attributes(), present);
    }

    private static Optional<List<Value>> spread(Ops code, Call call, List<Long> axes) {
        Value x = requiredInput(call, 0);
        int rank = x.rank();
        if (call.has(1)
                        && call.attributes()
                                .text("coordinate_transformation_mode", "")
                                .equals("tf_crop_and_resize")
                || !call.attributes()
                        .text("keep_aspect_ratio_policy", "stretch")
                        .equals("stretch")) {
            return Optional.empty();
        }
        Attributes attributes = call.attributes().without("axes");
        if (call.has(3)) {
            List<Value> sizes = new ArrayList<>();
            for (int i = 0; i < rank; i++) {
                sizes.add(code.sizeOf(x, i));
            }
            for (int i = 0; i < axes.size(); i++) {
                int axis = (int) axis(axes.get(i), rank);
                sizes.set(axis, code.gather(call.input(3), code.ints(i), 0));
                Optional<List<Long>> known = call.input(3).knownIntegers();
                if (known.isPresent()) {
                    sizes.set(axis, code.ints(known.get().get(i)));
                }
            }
            Value all = LoweringHelpers.joined(code, sizes.toArray(Value[]::new));
            return recreate(code, call, attributes, inputs(x, null, null, all));
        }
        Optional<List<Double>> factors = ConstantEvaluation.reals(requiredInput(call, 2));
        if (factors.isEmpty() || factors.get().size() != axes.size()) {
            return Optional.empty();
        }
        var all = new ArrayList<>(Collections.nCopies(rank, 1.0));
        for (int i = 0; i < axes.size(); i++) {
            all.set((int) axis(axes.get(i), rank), factors.get().get(i));
        }
        return recreate(code, call, attributes, inputs(x, null, scales(code, all)));
    }
}
