package io.knabla.functions.compiler.optimize.memory;

import io.knabla.functions.compiler.analyze.KernelSharing;
import io.knabla.functions.compiler.analyze.Liveness.Sharing;
import io.knabla.functions.compiler.analyze.OpCosts;
import io.knabla.functions.compiler.ir.Op;
import io.knabla.functions.compiler.ir.Reachability;
import io.knabla.functions.compiler.ir.Scope;
import io.knabla.functions.compiler.ir.Value;
import io.knabla.functions.compiler.onnx.TensorType;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.ToLongFunction;

/**
 * The forward pass of a derivative graph: the operations that the plain results need, in execution order, and the
 * values that the backward pass uses.
 */
final class ForwardPass {
    private final List<Op> ops;
    private final Map<Op, Integer> places = new HashMap<>();
    private final Set<Value> dynamic = new HashSet<>();
    private final Set<Value> kept = new HashSet<>();
    private final Map<Value, Integer> lastUse = new HashMap<>();
    private final ToLongFunction<TensorType> sizes;

    private ForwardPass(List<Op> ops, ToLongFunction<TensorType> sizes) {
        this.ops = ops;
        this.sizes = sizes;
        for (Op op : ops) {
            int place = places.size();
            places.put(op, place);
            List<Value> operands =
                    op.operands().stream().filter(Objects::nonNull).toList();
            operands.forEach(v -> lastUse.put(v, place));
            if (operands.stream().anyMatch(this::dependsOnInputs)) {
                dynamic.addAll(op.outputs());
            }
        }
    }

    /**
     * @param order all operations of the main graph in execution order
     * @param results of the plain model
     */
    static ForwardPass of(List<Op> order, Collection<Value> results, ToLongFunction<TensorType> sizes) {
        Scope root = order.getFirst().scope();
        Set<Op> behind = new HashSet<>(Reachability.ops(results, root));
        var forward = new ForwardPass(order.stream().filter(behind::contains).toList(), sizes);
        for (Op op : order) {
            if (!behind.contains(op)) {
                op.operands().stream().filter(Objects::nonNull).forEach(forward.kept::add);
            }
        }
        return forward;
    }

    List<Op> ops() {
        return ops;
    }

    boolean has(Op op) {
        return places.containsKey(op);
    }

    /** Position of the operation that computes the value, -1 if it is not in the forward pass. */
    int position(Value value) {
        return value.producer().map(op -> places.getOrDefault(op, -1)).orElse(-1);
    }

    /** Position of the last use in the forward pass, -1 if there is none. */
    int lastUse(Value value) {
        return lastUse.getOrDefault(value, -1);
    }

    /** Whether it depends on the inputs of a call. */
    boolean dependsOnInputs(Value value) {
        return dynamic.contains(value)
                || value.constant().isEmpty() && value.producer().isEmpty();
    }

    /** Whether the backward pass uses it. */
    boolean kept(Value value) {
        return kept.contains(value);
    }

    /** Memory that the value owns; 0 if it is a view of another value. */
    long bytes(Value value) {
        boolean view = value.producer()
                .filter(op -> KernelSharing.of(OpCosts.qualified(op)) == Sharing.VIEW)
                .isPresent();
        return view ? 0 : sizes.applyAsLong(value.type());
    }

    long size(Value value) {
        return sizes.applyAsLong(value.type());
    }
}
