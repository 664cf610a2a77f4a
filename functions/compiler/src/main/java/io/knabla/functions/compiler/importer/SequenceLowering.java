package io.knabla.functions.compiler.importer;

import static io.knabla.functions.compiler.importer.LoweringHelpers.one;
import static io.knabla.functions.compiler.importer.LoweringHelpers.requiredInput;

import io.knabla.functions.compiler.ir.Lowering;
import io.knabla.functions.compiler.ir.Ops;
import io.knabla.functions.compiler.ir.UnsupportedOperatorException;
import io.knabla.functions.compiler.ir.Value;
import io.knabla.functions.compiler.onnx.Axis;
import io.knabla.functions.compiler.onnx.Dim;
import io.knabla.functions.compiler.onnx.ElementType;
import io.knabla.functions.compiler.onnx.TensorType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Lowers sequences and optional values to their tensors during import. One instance serves one file, because it records
 * the tensors of each sequence.
 */
final class SequenceLowering implements Lowering {
    private static final int MAX_LENGTH = 4096;

    private final Map<Value, List<Value>> lists = new HashMap<>();
    private final Lowering others;

    SequenceLowering(Lowering others) {
        this.others = others;
    }

    /** The elements of a sequence that the graph itself builds. */
    Optional<List<Value>> elements(Value value) {
        return Optional.ofNullable(lists.get(value));
    }

    /** Whether the value represents a sequence, which tensor operators do not accept. */
    boolean isSequence(Value value) {
        return lists.containsKey(value);
    }

    @Override
    public Optional<List<Value>> lower(Ops code, Call call) {
        if (!call.spec().domain().isEmpty()) {
            return plain(code, call);
        }
        return switch (call.type()) {
            case "SequenceEmpty" -> list(code, List.of());
            case "SequenceConstruct" -> list(code, call.spec().inputs());
            case "SequenceInsert" -> list(code, inserted(call));
            case "SequenceErase" -> list(code, erased(call));
            case "SequenceAt" -> one(at(call));
            case "SequenceLength" -> one(code.integer(elements(call, 0).size()));
            case "SplitToSequence" -> list(code, split(code, call));
            case "ConcatFromSequence" -> one(joined(code, call));
            case "Identity", "OptionalGetElement" -> one(requiredInput(call, 0));
            case "Optional" -> call.has(0) ? one(requiredInput(call, 0)) : list(code, List.of());
            case "OptionalHasElement" -> one(present(code, call));
            default -> plain(code, call);
        };
    }

    private Optional<List<Value>> plain(Ops code, Call call) {
        for (Value input : call.spec().inputs()) {
            if (input != null && isSequence(input)) {
                throw new UnsupportedOperatorException(
                        "takes a sequence of tensors, which only sequence operators accept; if a Loop collects the sequence, use a scan output instead");
            }
        }
        return others.lower(code, call);
    }

    Value sequence(Ops code, List<Value> elements) {
        return list(code, elements).orElseThrow().getFirst();
    }

    private Optional<List<Value>> list(Ops code, List<Value> elements) {
        if (elements.stream().anyMatch(Objects::isNull)) {
            throw new UnsupportedOperatorException("omits the tensor to put into a sequence");
        }
        Value list = code.builder().input("", TensorType.UNKNOWN);
        lists.put(list, List.copyOf(elements));
        return one(list);
    }

    private List<Value> elements(Call call, int input) {
        List<Value> elements = lists.get(requiredInput(call, input));
        if (elements == null) {
            throw new UnsupportedOperatorException(
                    "takes a sequence whose length is known only at run time; only sequences that the graph itself builds are supported");
        }
        return elements;
    }

    private static int position(Call call, int input, int length, boolean end) {
        long stated = ConstantEvaluation.integer(requiredInput(call, input))
                .orElseThrow(() -> new UnsupportedOperatorException(
                        "takes an element at a position that is known only at run time"));
        long counted = Axis.fromFront(stated, length);
        if (counted < 0 || counted >= length + (end ? 1 : 0)) {
            throw new UnsupportedOperatorException("names element %d of a sequence of %d".formatted(stated, length));
        }
        return (int) counted;
    }

    private Value at(Call call) {
        List<Value> elements = elements(call, 0);
        return elements.get(position(call, 1, elements.size(), false));
    }

    private List<Value> inserted(Call call) {
        var elements = new ArrayList<>(elements(call, 0));
        if (elements.size() >= MAX_LENGTH) {
            throw new UnsupportedOperatorException("makes a sequence longer than " + MAX_LENGTH);
        }
        int place = call.has(2) ? position(call, 2, elements.size(), true) : elements.size();
        elements.add(place, requiredInput(call, 1));
        return elements;
    }

    private List<Value> erased(Call call) {
        var elements = new ArrayList<>(elements(call, 0));
        elements.remove(call.has(1) ? position(call, 1, elements.size(), false) : elements.size() - 1);
        return elements;
    }

    private static List<Value> split(Ops code, Call call) {
        Value x = requiredInput(call, 0);
        long axis = LoweringHelpers.axis(call.attributes().integer("axis", 0), x.rank());
        List<Long> sizes = parts(call, x.dim((int) axis));
        if (sizes.size() > MAX_LENGTH) {
            throw new UnsupportedOperatorException("makes a sequence longer than " + MAX_LENGTH);
        }
        List<Value> parts = sizes.size() == 1 ? List.of(x) : code.split(x, axis, sizes);
        boolean drop = !call.has(1) && call.attributes().integer("keepdims", 1) == 0;
        return drop ? parts.stream().map(p -> code.squeeze(p, axis)).toList() : parts;
    }

    private static List<Long> parts(Call call, Dim whole) {
        Value stated = call.input(1);
        if (stated != null && stated.rank() == 1) {
            return LoweringHelpers.numbers(call, 1);
        }
        if (!(whole instanceof Dim.Known(var size))) {
            throw new UnsupportedOperatorException(
                    "splits an axis whose size is known only at run time; export with fixed sizes");
        }
        long chunk = stated == null ? 1 : ConstantEvaluation.integer(stated).orElse(0L);
        if (chunk < 1 || size / chunk > MAX_LENGTH) {
            throw new UnsupportedOperatorException("splits into parts of %d, or too many".formatted(chunk));
        }
        var sizes = new ArrayList<>(Collections.nCopies((int) (size / chunk), chunk));
        if (size % chunk != 0) {
            sizes.add(size % chunk);
        }
        return sizes;
    }

    private Value joined(Ops code, Call call) {
        List<Value> elements = elements(call, 0);
        if (elements.isEmpty()) {
            throw new UnsupportedOperatorException("joins an empty sequence");
        }
        boolean fresh = call.attributes().integer("new_axis", 0) == 1;
        int rank = elements.getFirst().rank() + (fresh ? 1 : 0);
        long axis = LoweringHelpers.axis(call.attributes().integer("axis", 0), rank);
        List<Value> parts =
                fresh ? elements.stream().map(e -> code.unsqueeze(e, axis)).toList() : elements;
        return code.concat(axis, parts);
    }

    /** An empty optional value is represented as an empty sequence. */
    private Value present(Ops code, Call call) {
        Value value = call.input(0);
        boolean there = value != null && !(isSequence(value) && lists.get(value).isEmpty());
        return code.scalar(ElementType.BOOL, there ? 1 : 0);
    }
}
