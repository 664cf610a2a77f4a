package io.knabla.functions.compiler.optimize.quantize;

import io.knabla.functions.Fault;
import io.knabla.functions.compiler.interpreter.NdArray;
import io.knabla.functions.compiler.ir.Dag;
import io.knabla.functions.compiler.ir.Op;
import io.knabla.functions.compiler.ir.Ops;
import io.knabla.functions.compiler.ir.Reachability;
import io.knabla.functions.compiler.ir.Rewriter;
import io.knabla.functions.compiler.ir.Value;
import io.knabla.functions.compiler.onnx.ElementType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** One walk over the main graph that puts new operations in place of some. Bodies stay as they are. */
abstract class Pass {
    final Dag dag;
    final Ops code;
    final Quantization.Options options;
    private final Map<Value, Value> now = new HashMap<>();
    private final List<Report.Weight> weights = new ArrayList<>();
    private final List<Fault> kept = new ArrayList<>();

    Pass(Dag dag, Quantization.Options options) {
        this.dag = dag;
        this.code = dag.code();
        this.options = options;
    }

    /** The value in place of the operation's output. */
    abstract Value quantized(Op op, Candidate.Fit fit);

    /** Any other operation; by default as it was, on what its operands have become. */
    List<Value> other(Op op) {
        return remade(op);
    }

    final Quantized run() {
        for (Op op : Reachability.ops(dag.outputs().values(), dag.builder().root())) {
            List<Value> made = switch (Candidate.of(op, options.minElements())) {
                case Candidate.Fit fit -> List.of(quantized(op, fit));
                case Candidate.Unfit(var why) -> {
                    kept.add(new Fault(op.toString(), why));
                    yield other(op);
                }
                case Candidate.Other _ -> other(op);
            };
            for (int i = 0; i < made.size(); i++) {
                now.put(op.output(i), made.get(i));
            }
        }
        var outputs = new LinkedHashMap<String, Value>();
        dag.outputs().forEach((name, value) -> outputs.put(name, now(value)));
        Dag done = dag.withOutputs(outputs);
        return new Quantized(done, new Report(weights, kept, bytes(dag), bytes(done)));
    }

    final Value now(Value value) {
        return now.getOrDefault(value, value);
    }

    private List<Value> remade(Op op) {
        boolean touched = op.operands().stream().anyMatch(v -> v != null && now.getOrDefault(v, v) != v);
        return touched ? Rewriter.copy(code.builder(), op, now).outputs() : op.outputs();
    }

    /** Only the rows that are asked for become floats. */
    final Value rows(Op op, Integers table) {
        Value ids = now(op.input(1));
        Value rows = code.cast(code.gather(constant(table.values()), ids, 0), ElementType.FLOAT);
        Value scales = code.gather(constant(table.scales()), ids, 0);
        return code.op("Mul", rows, code.unsqueeze(scales, -1));
    }

    /** The same operation on other inputs. */
    final List<Value> remade(Op op, List<Value> inputs) {
        var spec = new Op.Spec(op.name(), op.domain(), op.type(), op.attributes(), inputs, op.bodies());
        return code.builder().op(spec, op.outputs().size()).outputs();
    }

    final Integers integers(Op op, Candidate.Fit fit) {
        Value weight = op.input(fit.weight());
        NdArray array = NdArray.of(weight.constant().orElseThrow());
        for (int i = 0; i < array.size(); i++) {
            if (!Double.isFinite(array.real(i))) {
                throw new IllegalArgumentException("the weight '%s' of %s holds %s, which no integer stands for"
                        .formatted(weight.name(), op, array.real(i)));
            }
        }
        Integers made = Integers.of(array, fit.channels(), options.weightBits());
        weights.add(new Report.Weight(op.toString(), weight.name(), array.size(), made.error()));
        return made;
    }

    final Value constant(ai.onnx.proto.OnnxMl.TensorProto tensor) {
        return code.builder().constant(tensor);
    }

    private static long bytes(Dag dag) {
        return dag.ops().stream()
                .flatMap(op -> op.presentInputs().stream())
                .distinct()
                .mapToLong(
                        v -> v.constant().map(t -> v.element().bytes(size(v))).orElse(0L))
                .sum();
    }

    private static long size(Value value) {
        return value.sizes().orElse(List.of()).stream().reduce(1L, (a, b) -> a * b);
    }
}
