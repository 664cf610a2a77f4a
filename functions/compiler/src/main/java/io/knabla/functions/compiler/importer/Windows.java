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
import io.knabla.functions.compiler.onnx.WindowAxis;
import io.knabla.functions.compiler.onnx.WindowAxis.AutoPad;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Lowers convolutions and pooling to explicit kernel, strides, dilations and pads. */
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
        AutoPad auto = auto(call);
        if (plain.isEmpty() || !auto.same()) {
            return auto == AutoPad.VALID ? plain.map(Windows::unpadded) : plain;
        }
        var same = new ArrayList<WindowAxis>();
        for (WindowAxis axis : axes(plain.get())) {
            Dim size = requiredInput(call, 0).dim(same.size() + 2);
            // With a stride of 1 the pads are the same for every size.
            if (!size.known() && axis.stride() > 1) {
                return Optional.empty();
            }
            same.add(axis.same(size.or(axis.span()), auto));
        }
        return Optional.of(padded(plain.get(), same));
    }

    private static AutoPad auto(Call call) {
        return AutoPad.of(call.attributes().text("auto_pad", ""));
    }

    private static List<WindowAxis> axes(Attributes given) {
        List<Long> kernel = given.integers("kernel_shape").orElseThrow();
        List<Long> strides = given.integers("strides").orElseThrow();
        List<Long> dilations = given.integers("dilations").orElse(Collections.nCopies(kernel.size(), 1L));
        return IntStream.range(0, kernel.size())
                .mapToObj(i -> new WindowAxis(kernel.get(i), strides.get(i), dilations.get(i), 0, 0))
                .toList();
    }

    private static Attributes padded(Attributes given, List<WindowAxis> axes) {
        return given.with(
                "pads",
                Stream.concat(
                                axes.stream().map(WindowAxis::begin),
                                axes.stream().map(WindowAxis::end))
                        .toList());
    }

    private static Attributes unpadded(Attributes given) {
        return padded(given, axes(given));
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

    private static Optional<List<Value>> transposed(Ops code, Call call) {
        return plain(call, true)
                .flatMap(plain -> spreading(call, plain.without("output_shape")))
                .flatMap(attributes ->
                        recreate(code, call, attributes, call.spec().inputs()));
    }

    /** Empty if the pads depend on unknown sizes, or if the output size is one that the engine refuses. */
    private static Optional<Attributes> spreading(Call call, Attributes given) {
        AutoPad auto = auto(call);
        Optional<List<Long>> shape = call.attributes().integers("output_shape");
        List<WindowAxis> axes = axes(given);
        var extra = new ArrayList<>(extra(given, axes.size()));
        if (shape.isEmpty() && !auto.same()) {
            Attributes stated = given.with("output_padding", extra);
            return Optional.of(auto == AutoPad.VALID ? unpadded(stated) : stated);
        }
        var covering = new ArrayList<WindowAxis>();
        for (int i = 0; i < axes.size(); i++) {
            WindowAxis axis = axes.get(i);
            if (!(requiredInput(call, 0).dim(i + 2) instanceof Dim.Known(var size))) {
                return Optional.empty();
            }
            int place = i - axes.size();
            long wanted = shape.map(list -> list.get(list.size() + place)).orElse(size * axis.stride());
            covering.add(axis.covering(size, wanted - extra.get(i), auto));
            // Elements behind the last window stay empty.
            extra.set(i, wanted - covering.get(i).covered(size));
            if (extra.get(i) >= axis.stride()) {
                return Optional.empty();
            }
        }
        return Optional.of(padded(given.with("output_padding", extra), covering));
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
