package io.knabla.functions.compiler.trace;

import io.knabla.functions.compiler.ir.Value;
import io.knabla.functions.compiler.onnx.Shape;
import io.knabla.functions.compiler.onnx.TensorType;
import java.util.ArrayList;
import java.util.List;

/** Computes a scan eagerly, one iteration after another. */
final class EagerScan {
    private EagerScan() {}

    static Trace.ScanResult scan(List<Tensor> state, List<Tensor> sequences, Trace.Step step) {
        List<Tensor> now = state;
        var rounds = new ArrayList<List<Tensor>>();
        int length = sequences.getFirst().dim(0);
        for (int i = 0; i < length; i++) {
            int at = i;
            Trace.ScanResult round =
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
        return new Trace.ScanResult(now, stacked);
    }

    /** Types inside a scan's body: the state unchanged, sequences without their first axis. */
    static List<TensorType> elementTypes(List<Value> values, int carried) {
        var types = new ArrayList<TensorType>();
        for (int i = 0; i < values.size(); i++) {
            Value value = values.get(i);
            Shape shape = value.knownShape();
            types.add(i < carried ? value.type() : TensorType.of(value.element(), shape.slice(1, shape.rank())));
        }
        return types;
    }
}
