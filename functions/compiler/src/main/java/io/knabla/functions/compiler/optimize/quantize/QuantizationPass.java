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

/** Base of the quantisation passes: walks the main graph and replaces operations. Bodies stay unchanged. */
abstract class QuantizationPass {
    final Dag dag;
    final Ops code;
    final Quantization.Options options;
    private final Map<Value, Value> replacement = new HashMap<>();
    private final List<QuantizationReport.Weight> weights = new ArrayList<>();
    private final List<Fault> kept = new ArrayList<>();

    QuantizationPass(Dag dag, Quantization.Options options) {
        this.dag = dag;
        this.code = dag.code();
        this.options = options;
    }

    /** Returns the value that replaces the operation's output. */
    abstract Value quantized(Op op, WeightCandidate.Fit fit);

    /** Handles any other operation; by default copies it with its replaced operands. */
    List<Value> other(Op op) {
        return copied(op);
    }

    final QuantizationResult run() {
        for (Op op : Reachability.ops(dag.outputs().values(), dag.builder().root())) {
            List<Value> made = switch (WeightCandidate.of(op, options.minElements())) {
                case WeightCandidate.Fit fit -> List.of(quantized(op, fit));
                case WeightCandidate.Unfit(var why) -> {
                    kept.add(new Fault(op.toString(), why));
                    yield other(op);
                }
                case WeightCandidate.Other _ -> other(op);
            };
            for (int i = 0; i < made.size(); i++) {
                replacement.put(op.output(i), made.get(i));
            }
        }
        var outputs = new LinkedHashMap<String, Value>();
        dag.outputs().forEach((name, value) -> outputs.put(name, replacement(value)));
        Dag done = dag.withOutputs(outputs);
        return new QuantizationResult(done, new QuantizationReport(weights, kept, bytes(dag), bytes(done)));
    }

    final Value replacement(Value value) {
        return replacement.getOrDefault(value, value);
    }

    private List<Value> copied(Op op) {
        boolean touched = op.operands().stream().anyMatch(v -> v != null && replacement.getOrDefault(v, v) != v);
        return touched ? Rewriter.copy(code.builder(), op, replacement).outputs() : op.outputs();
    }

    /** Dequantises only the rows that are looked up. */
    final Value lookUpRows(Op op, QuantizedWeight table) {
        Value ids = replacement(op.input(1));
        Value rows = code.cast(code.gather(constant(table.values()), ids, 0), ElementType.FLOAT);
        Value scales = code.gather(constant(table.scales()), ids, 0);
        return code.op("Mul", rows, code.unsqueeze(scales, -1));
    }

    /** Copies an operation with other inputs. */
    final List<Value> copied(Op op, List<Value> inputs) {
        var spec = new Op.Spec(op.name(), op.domain(), op.type(), op.attributes(), inputs, op.bodies());
        return code.builder().op(spec, op.outputs().size()).outputs();
    }

    final QuantizedWeight quantizeWeight(Op op, WeightCandidate.Fit fit) {
        Value weight = op.input(fit.weight());
        NdArray array = NdArray.of(weight.constant().orElseThrow());
        for (int i = 0; i < array.size(); i++) {
            if (!Double.isFinite(array.real(i))) {
                throw new IllegalArgumentException("the weight '%s' of %s holds %s, which cannot be quantised"
                        .formatted(weight.name(), op, array.real(i)));
            }
        }
        QuantizedWeight made = QuantizedWeight.quantize(array, fit.channels(), options.weightBits());
        weights.add(new QuantizationReport.Weight(op.toString(), weight.name(), array.size(), made.error()));
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
