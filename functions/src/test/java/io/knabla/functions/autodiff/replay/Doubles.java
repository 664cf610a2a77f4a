package io.knabla.functions.autodiff.replay;

import ai.onnx.proto.OnnxMl.AttributeProto;
import io.knabla.functions.graph.ElementType;
import io.knabla.functions.graph.eval.EvaluationException;
import io.knabla.functions.graph.eval.Evaluator;
import io.knabla.functions.graph.eval.NdArray;
import io.knabla.functions.graph.ssa.Dag;
import io.knabla.functions.graph.ssa.Op;
import io.knabla.functions.graph.ssa.Value;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A whole graph in double precision, which ONNX Runtime has no kernels for: with it, a finite
 * difference is exact to many digits.
 */
final class Doubles {
    private final Map<Value, NdArray> known = new HashMap<>();

    private Doubles() {}

    /** Empty where the evaluator does not know an operator or a use of it, as for control flow. */
    static Optional<Map<String, NdArray>> run(Dag dag, Map<String, NdArray> feeds) {
        if (dag.ops().stream().anyMatch(op -> !op.bodies().isEmpty())) {
            return Optional.empty();
        }
        try {
            return new Doubles().results(dag, feeds);
        } catch (EvaluationException unknown) {
            return Optional.empty();
        }
    }

    private Optional<Map<String, NdArray>> results(Dag dag, Map<String, NdArray> feeds) {
        dag.inputs().forEach((name, value) -> known.put(value, lifted(feeds.get(name))));
        for (Op op : dag.ops()) {
            if (!op.domain().isEmpty() || !step(op)) {
                return Optional.empty();
            }
        }
        var outputs = new LinkedHashMap<String, NdArray>();
        dag.outputs().forEach((name, value) -> outputs.put(name, of(value)));
        return Optional.of(outputs);
    }

    private boolean step(Op op) {
        List<NdArray> inputs = new java.util.ArrayList<>();
        op.inputs().forEach(v -> inputs.add(v == null ? null : of(v)));
        Map<String, AttributeProto> attributes = op.attributes().values();
        Optional<List<NdArray>> results = Evaluator.evaluate(op.type(), attributes, inputs);
        results.ifPresent(
                all -> {
                    for (int i = 0; i < Math.min(all.size(), op.outputs().size()); i++) {
                        if (all.get(i) != null) {
                            known.put(op.outputs().get(i), lifted(all.get(i)));
                        }
                    }
                });
        return results.isPresent();
    }

    private NdArray of(Value value) {
        return value.constant().map(c -> lifted(NdArray.of(c))).orElseGet(() -> known.get(value));
    }

    static NdArray lifted(NdArray array) {
        return array.element() == ElementType.FLOAT
                ? NdArray.reals(ElementType.DOUBLE, array.dims(), array.reals())
                : array;
    }
}
