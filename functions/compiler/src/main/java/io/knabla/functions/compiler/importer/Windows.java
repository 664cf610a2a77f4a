package io.knabla.functions.compiler.importer;

import static io.knabla.functions.compiler.importer.LoweringHelpers.one;
import static io.knabla.functions.compiler.importer.LoweringHelpers.recreate;
import static io.knabla.functions.compiler.importer.LoweringHelpers.requiredInput;

import io.knabla.functions.compiler.ir.Attributes;
import io.knabla.functions.compiler.ir.Lowering;
import io.knabla.functions.compiler.ir.Lowering.Call;
import io.knabla.functions.compiler.ir.Ops;
import io.knabla.functions.compiler.ir.UnsupportedOperatorException;
import io.knabla.functions.compiler.ir.Value;
import io.knabla.functions.compiler.onnx.Dim;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Makes kernel, strides, dilations and pads of convolutions and pooling explicit. */
final class Windows {
    private Windows() {}

    static void register(Map<String, Lowering> table) {
        table.put("Conv", (code, call) -> stated(code, call, true));
        table.put("ConvTranspose", Windows::transposed);
        table.put("MaxPool", (code, call) -> stated(code, call, false));
        table.put("AveragePool", (code, call) -> stated(code, call, false));
        table.put("LpPool", Windows::lpPool);
    }

    private static Optional<List<Value>> stated(Ops code, Call call, boolean weighted) {
        return attributes(call, weighted)
                .flatMap(attributes ->
                        recreate(code, call, attributes, call.spec().inputs()));
    }

    /** Empty if the pads depend on unknown sizes. */
    private static Optional<Attributes> attributes(Call call, boolean weighted) {
        Optional<Attributes> plain = plain(call, weighted);
        String auto = call.attributes().text("auto_pad", "NOTSET");
        if (plain.isEmpty() || auto.equals("NOTSET") || auto.isEmpty()) {
            return plain;
        }
        Attributes given = plain.get();
        int axes = given.integers("kernel_shape").orElseThrow().size();
        var pads = new ArrayList<>(Collections.nCopies(2 * axes, 0L));
        for (int i = 0; i < axes && !auto.equals("VALID"); i++) {
            Optional<Long> total = same(requiredInput(call, 0).dim(i + 2), given, i);
            if (total.isEmpty()) {
                return Optional.empty();
            }
            boolean upper = auto.equals("SAME_UPPER");
            long less = total.get() / 2;
            pads.set(i, upper ? less : total.get() - less);
            pads.set(i + axes, upper ? total.get() - less : less);
        }
        return Optional.of(given.with("pads", pads));
    }

    /** Attributes with defaults filled in, except computed pads. */
    private static Optional<Attributes> plain(Call call, boolean weighted) {
        Value x = requiredInput(call, 0);
        int axes = x.rank() - 2;
        Attributes given = call.attributes().without("auto_pad");
        Optional<List<Long>> kernel = given.integers("kernel_shape").isPresent()
                ? given.integers("kernel_shape")
                : weighted ? kernel(requiredInput(call, 1)) : Optional.empty();
        if (kernel.isEmpty()) {
            return Optional.empty();
        }
        if (axes < 1 || kernel.get().size() != axes) {
            throw new UnsupportedOperatorException("has a kernel of %d axes for a tensor with %d"
                    .formatted(kernel.get().size(), x.rank()));
        }
        List<Long> ones = Collections.nCopies(axes, 1L);
        Attributes filled = given.with("kernel_shape", kernel.get())
                .with("strides", checked(given, "strides", ones))
                .with("pads", pads(given, axes));
        boolean dilates = !call.type().equals("AveragePool") || given.has("dilations");
        return Optional.of(dilates ? filled.with("dilations", checked(given, "dilations", ones)) : filled);
    }

    private static List<Long> pads(Attributes given, int axes) {
        List<Long> pads = given.integers("pads").orElse(Collections.nCopies(2 * axes, 0L));
        if (pads.size() != 2 * axes) {
            throw new UnsupportedOperatorException(
                    "has %d pads; two an axis, so %d, are needed".formatted(pads.size(), 2 * axes));
        }
        return pads;
    }

    private static List<Long> checked(Attributes given, String name, List<Long> otherwise) {
        List<Long> stated = given.integers(name).filter(l -> !l.isEmpty()).orElse(otherwise);
        if (stated.size() != otherwise.size() || stated.stream().anyMatch(s -> s < 1)) {
            throw new UnsupportedOperatorException(
                    "has the %s %s; one an axis and at least 1 is needed".formatted(name, stated));
        }
        return stated;
    }

    private static Optional<List<Long>> kernel(Value weight) {
        return weight.sizes()
                .filter(sizes -> sizes.size() > 2)
                .map(sizes -> List.copyOf(sizes.subList(2, sizes.size())));
    }

    /** Total padding of an axis for {@code auto_pad} SAME; empty if it depends on an unknown size. */
    private static Optional<Long> same(Dim size, Attributes given, int axis) {
        long stride = given.integers("strides").orElseThrow().get(axis);
        long span = span(given, axis);
        if (stride == 1) {
            return Optional.of(span - 1);
        }
        return size instanceof Dim.Known(var known)
                ? Optional.of(Math.max(0, (Math.ceilDiv(known, stride) - 1) * stride + span - known))
                : Optional.empty();
    }

    private static long span(Attributes given, int axis) {
        long dilation = given.integers("dilations").map(d -> d.get(axis)).orElse(1L);
        return (given.integers("kernel_shape").orElseThrow().get(axis) - 1) * dilation + 1;
    }

    private static Optional<List<Value>> transposed(Ops code, Call call) {
        Optional<Attributes> plain = plain(call, true);
        if (plain.isEmpty()) {
            return Optional.empty();
        }
        Attributes given = plain.get().without("output_shape");
        Optional<List<Long>> shape = call.attributes().integers("output_shape");
        String auto = call.attributes().text("auto_pad", "NOTSET");
        int axes = given.integers("kernel_shape").orElseThrow().size();
        List<Long> extra = extra(given, axes);
        given = given.with("output_padding", extra);
        if (shape.isEmpty() && !auto.startsWith("SAME")) {
            boolean none = auto.equals("VALID");
            List<Long> zeros = Collections.nCopies(2 * axes, 0L);
            return recreate(
                    code,
                    call,
                    none ? given.with("pads", zeros) : given,
                    call.spec().inputs());
        }
        var pads = new ArrayList<>(Collections.nCopies(2 * axes, 0L));
        for (int i = 0; i < axes; i++) {
            long stride = given.integers("strides").orElseThrow().get(i);
            if (!(requiredInput(call, 0).dim(i + 2) instanceof Dim.Known(var size))) {
                return Optional.empty();
            }
            long wanted = shape.isPresent() ? shape.get().get(i + shape.get().size() - axes) : size * stride;
            long total = stride * (size - 1) + extra.get(i) + span(given, i) - wanted;
            if (total < 0) {
                return Optional.empty();
            }
            long less = total / 2;
            boolean upper = auto.equals("SAME_UPPER");
            pads.set(i, upper ? less : total - less);
            pads.set(i + axes, upper ? total - less : less);
        }
        return recreate(code, call, given.with("pads", pads), call.spec().inputs());
    }

    private static List<Long> extra(Attributes given, int axes) {
        List<Long> extra =
                given.integers("output_padding").filter(e -> !e.isEmpty()).orElse(Collections.nCopies(axes, 0L));
        if (extra.size() != axes || extra.stream().anyMatch(e -> e < 0)) {
            throw new UnsupportedOperatorException("has the output_padding " + extra + "; one an axis is needed");
        }
        return extra;
    }

    /** Root of the sum of powers, computed as their average times the size of the window. */
    private static Optional<List<Value>> lpPool(Ops code, Call call) {
        Optional<Attributes> given = attributes(call, false);
        if (given.isEmpty() || given.get().integer("ceil_mode", 0) == 1) {
            return Optional.empty();
        }
        long p = call.attributes().integer("p", 2);
        long window =
                given.get().integers("kernel_shape").orElseThrow().stream().reduce(1L, Math::multiplyExact);
        Value powers = Reductions.powered(code, requiredInput(call, 0), p);
        Attributes average = given.get().without("p").with("count_include_pad", 1);
        Value sum = code.mul(code.op("AveragePool", average, powers), window);
        return one(p == 2 ? code.sqrt(sum) : Reductions.rooted(code, sum, p));
    }
}
