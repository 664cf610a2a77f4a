package io.knabla.functions.compiler.interpreter;

import ai.onnx.proto.OnnxMl.TensorProto;
import io.knabla.functions.compiler.ir.Dag;
import io.knabla.functions.compiler.ir.Op;
import io.knabla.functions.compiler.ir.Ops;
import io.knabla.functions.compiler.ir.Rewriter;
import io.knabla.functions.compiler.ir.Value;
import io.knabla.functions.compiler.onnx.ElementType;
import io.knabla.functions.compiler.onnx.TensorProtos;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Folds operations that do not depend on inputs: small constants, known shapes, branches that are always taken. Float
 * tensors of the file are not folded, because training may change them.
 */
public final class ConstantFolding {
    private final Budget budget;
    private final Set<Value> kept = new HashSet<>();

    private ConstantFolding(Dag dag, Budget budget) {
        this.budget = budget;
        dag.initializers().values().stream().filter(Value::isFloat).forEach(kept::add);
    }

    public static Dag fold(Dag dag) {
        return fold(dag, Budget.folding());
    }

    /** Stops when the budget is spent; operations folded until then stay folded. */
    public static Dag fold(Dag dag, Budget budget) {
        var folding = new ConstantFolding(dag, budget);
        return Rewriter.apply(dag, folding::folded);
    }

    private Optional<List<Value>> folded(Ops code, Op op) {
        try {
            Optional<List<Value>> followed = followed(code, op);
            if (followed.isPresent()) {
                return followed;
            }
            return op.is("If") ? branch(code, op) : computed(code, op);
        } catch (EvaluationException unfit) {
            // The operation is invalid, which the engine reports, or it exceeds the budget.
            return Optional.empty();
        }
    }

    private Optional<List<Value>> computed(Ops code, Op op) {
        if (!op.domain().isEmpty() || !op.bodies().isEmpty() || !foldable(op)) {
            return Optional.empty();
        }
        var inputs = new ArrayList<NdArray>();
        op.inputs().forEach(v -> inputs.add(v == null ? null : array(v)));
        return Evaluator.evaluate(op.type(), op.attributes().values(), inputs, budget)
                .flatMap(results -> constants(code, op, results));
    }

    /** Shapes and sums of sizes that shape inference tracked to plain numbers. */
    private static Optional<List<Value>> followed(Ops code, Op op) {
        Value output = op.output();
        boolean integers = output.element() == ElementType.INT64 || output.element() == ElementType.INT32;
        if (op.outputs().size() != 1 || !integers || output.sizes().isEmpty()) {
            return Optional.empty();
        }
        int[] dims =
                Dims.of(output.sizes().get().stream().mapToLong(size -> size).toArray());
        return output.knownIntegers()
                .filter(numbers -> numbers.size() == Dims.size(dims))
                .map(numbers -> {
                    long[] values = numbers.stream().mapToLong(n -> n).toArray();
                    NdArray array = NdArray.whole(output.element(), dims, values);
                    return List.of(code.builder().constant(array.toProto("")));
                });
    }

    private boolean foldable(Op op) {
        return !op.inputs().isEmpty()
                && op.presentInputs().stream().noneMatch(kept::contains)
                && op.presentInputs().stream()
                        .allMatch(v -> v.constant().filter(this::small).isPresent());
    }

    private boolean small(TensorProto tensor) {
        return !TensorProtos.isExternal(tensor)
                && TensorProtos.elements(tensor)
                        .filter(n -> n <= budget.elements())
                        .isPresent();
    }

    private NdArray array(Value value) {
        NdArray array = NdArray.of(value.constant().orElseThrow());
        budget.spend(array.size());
        return array;
    }

    private static Optional<List<Value>> constants(Ops code, Op op, List<NdArray> results) {
        if (results.size() < op.outputs().size()) {
            return Optional.empty();
        }
        return Optional.of(results.subList(0, op.outputs().size()).stream()
                .map(result -> code.builder().constant(result.toProto("")))
                .toList());
    }

    private Optional<List<Value>> branch(Ops code, Op op) {
        return op.input(0)
                .constant()
                .filter(this::small)
                .map(NdArray::of)
                .filter(condition -> condition.size() == 1)
                .map(condition -> condition.truth(0) ? "then_branch" : "else_branch")
                .map(taken -> Rewriter.inline(code.builder(), op.body(taken), List.of()));
    }
}
