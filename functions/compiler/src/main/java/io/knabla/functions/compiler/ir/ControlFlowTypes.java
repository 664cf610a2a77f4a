package io.knabla.functions.compiler.ir;

import io.knabla.functions.compiler.onnx.Axis;
import io.knabla.functions.compiler.onnx.Dim;
import io.knabla.functions.compiler.onnx.Shape;
import io.knabla.functions.compiler.onnx.TensorType;
import io.knabla.functions.compiler.shape.OpContext.ValueInfo;
import io.knabla.functions.compiler.shape.OpInference;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Infers the output types of control-flow operations from their bodies. */
final class ControlFlowTypes {
    private ControlFlowTypes() {}

    static List<ValueInfo> of(Op op, int count, List<TensorType> stated) {
        List<TensorType> found = switch (op.type()) {
            case "If" -> choice(op);
            case "Loop" -> loop(op);
            case "Scan" -> scan(op);
            default -> List.of();
        };
        var known = new ArrayList<ValueInfo>();
        for (int i = 0; i < count; i++) {
            TensorType type = OpInference.merge(at(found, i), at(stated, i));
            known.add(new ValueInfo(type, Optional.empty(), Optional.empty()));
        }
        return known;
    }

    private static List<TensorType> types(List<Value> values) {
        return values.stream().map(Value::type).toList();
    }

    private static List<TensorType> choice(Op op) {
        List<TensorType> then = types(op.body("then_branch").outputs());
        List<TensorType> otherwise = types(op.body("else_branch").outputs());
        var common = new ArrayList<TensorType>();
        for (int i = 0; i < Math.min(then.size(), otherwise.size()); i++) {
            common.add(OpInference.common(then.get(i), otherwise.get(i)));
        }
        return common;
    }

    private static List<TensorType> loop(Op op) {
        List<Value> outputs = op.body("body").outputs();
        int carried = Math.max(0, op.inputs().size() - 2);
        Dim trips = trips(op.input(0));
        var types = new ArrayList<TensorType>();
        for (int i = 1; i < outputs.size(); i++) {
            TensorType inner = outputs.get(i).type();
            types.add(i <= carried ? inner : stacked(inner, trips, 0));
        }
        return types;
    }

    private static Dim trips(Value count) {
        return count == null
                ? Dim.UNKNOWN
                : count.integers()
                        .filter(n -> n.size() == 1)
                        .map(List::getFirst)
                        .orElse(Dim.UNKNOWN);
    }

    private static List<TensorType> scan(Op op) {
        List<Value> outputs = op.body("body").outputs();
        int scanned = (int) op.attributes().integer("num_scan_inputs", 1);
        int carried = Math.max(0, op.inputs().size() - scanned);
        List<Long> axes = op.attributes().integers("scan_output_axes").orElse(List.of());
        Dim length = length(op, carried);
        var types = new ArrayList<TensorType>();
        for (int i = 0; i < outputs.size(); i++) {
            TensorType inner = outputs.get(i).type();
            long axis = i - carried < axes.size() && i >= carried ? axes.get(i - carried) : 0;
            types.add(i < carried ? inner : stacked(inner, length, axis));
        }
        return types;
    }

    private static Dim length(Op op, int carried) {
        List<Long> axes = op.attributes().integers("scan_input_axes").orElse(List.of());
        long axis = axes.isEmpty() ? 0 : axes.getFirst();
        Value first = op.input(carried);
        boolean known =
                first != null && first.shape().filter(s -> s.rank() > axis).isPresent();
        return known ? first.dim((int) axis) : Dim.UNKNOWN;
    }

    private static TensorType stacked(TensorType inner, Dim length, long axis) {
        return new TensorType(inner.element(), inner.shape().map(s -> {
            var dims = new ArrayList<>(s.dims());
            int at = (int) (Axis.fromFront(axis, s.rank() + 1));
            dims.add(Math.clamp(at, 0, dims.size()), length);
            return new Shape(dims);
        }));
    }

    private static TensorType at(List<TensorType> types, int index) {
        return index < types.size() ? types.get(index) : TensorType.UNKNOWN;
    }
}
