package io.knabla.functions.trace;

import io.knabla.functions.graph.Shape;
import io.knabla.functions.graph.TensorType;
import io.knabla.functions.graph.ssa.Value;
import java.util.ArrayList;
import java.util.List;

/** Computes a scan eagerly, one iteration after another. */
final class Unrolled {
    private Unrolled() {}

    static Trace.Round scan(List<Tensor> state, List<Tensor> sequences, Trace.Step step) {
        List<Tensor> now = state;
        var rounds = new ArrayList<List<Tensor>>();
        int length = sequences.getFirst().dim(0);
        for (int i = 0; i < length; i++) {
            int at = i;
            Trace.Round round =
                    step.apply(now, sequences.stream().map(s -> s.index(0, at)).toList());
            now = round.state();
            rounds.add(round.outputs());
        }
        var stacked = new ArrayList<Tensor>();
        for (int o = 0; !rounds.isEmpty() && o < rounds.getFirst().size(); o++) {
            int output = o;
            Tensor[] parts = rounds.stream().map(r -> r.get(output)).toArray(Tensor[]::new);
            stacked.add(Tensor.stack(0, parts));
        }
        return new Trace.Round(now, stacked);
    }

    /** Types inside a scan's body: the state unchanged, sequences without their first axis. */
    static List<TensorType> elements(List<Value> values, int carried) {
        var types = new ArrayList<TensorType>();
        for (int i = 0; i < values.size(); i++) {
            Value value = values.get(i);
            Shape shape = value.knownShape();
            types.add(i < carried ? value.type() : TensorType.of(value.element(), shape.slice(1, shape.rank())));
        }
        return types;
    }
}
