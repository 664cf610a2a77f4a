package io.knabla.functions.compiler.trace;

import io.knabla.functions.compiler.ir.Attributes;
import io.knabla.functions.compiler.ir.Body;
import io.knabla.functions.compiler.ir.Dag;
import io.knabla.functions.compiler.ir.Op;
import io.knabla.functions.compiler.ir.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

/** Records Java functions on tensors as graphs, and provides their control flow: conditionals and scans. */
public final class Trace {
    private Trace() {}

    /**
     * Runs the function once on symbolic tensors and records its operations. Java loops and conditions on sizes,
     * settings and counters are unrolled; those on tensor values are refused.
     *
     * @throws DataDependentException if the function reads a value, or a size that the signature leaves open
     */
    public static Traced of(Signature signature, Function<Inputs, Outputs> function) {
        var recording = new Recording();
        var inputs = new LinkedHashMap<String, Value>();
        var arguments = new LinkedHashMap<String, Tensor>();
        signature.inputs().forEach((name, type) -> {
            Value input = recording.builder().input(name, type);
            inputs.put(name, input);
            arguments.put(name, new Tensor(recording, input));
        });
        Outputs results = recording.during(() -> function.apply(new Inputs(arguments)));
        var outputs = new LinkedHashMap<String, Value>();
        results.tensors().forEach((name, t) -> outputs.put(name, t.value(recording)));
        return new Traced(new Dag(recording.end(), inputs, outputs, recording.parameters(), Map.of()));
    }

    /**
     * Computes one of two branches, which must return the same number of tensors of the same types.
     *
     * @param condition BOOL, of one element
     */
    public static List<Tensor> cond(Tensor condition, Supplier<List<Tensor>> yes, Supplier<List<Tensor>> no) {
        Recording recording = condition.recording();
        if (recording == null) {
            return condition.booleanValue() ? yes.get() : no.get();
        }
        var bodies = new LinkedHashMap<String, Body>();
        bodies.put("then_branch", branch(recording, yes));
        bodies.put("else_branch", branch(recording, no));
        int count = bodies.get("then_branch").outputs().size();
        if (bodies.get("else_branch").outputs().size() != count) {
            throw new IllegalArgumentException(
                    DataDependentException.callSite() + " has branches with different numbers of results");
        }
        var spec = new Op.Spec("", "", "If", Attributes.NONE, List.of(condition.value(recording)), bodies);
        return tensors(recording, recording.builder().op(spec, count));
    }

    /** {@link #cond} for branches with one result. */
    public static Tensor condOne(Tensor condition, Supplier<Tensor> yes, Supplier<Tensor> no) {
        return cond(condition, () -> List.of(yes.get()), () -> List.of(no.get()))
                .getFirst();
    }

    private static Body branch(Recording recording, Supplier<List<Tensor>> function) {
        return recording.builder().body(List.of(), _ -> values(recording, function.get()));
    }

    /**
     * Result of one iteration of a scan.
     *
     * @param state for the next iteration
     * @param outputs to stack
     */
    public record ScanResult(List<Tensor> state, List<Tensor> outputs) {}

    /** Computes the next state and outputs from the state and one element of each sequence. */
    @FunctionalInterface
    public interface Step {
        ScanResult apply(List<Tensor> state, List<Tensor> elements);
    }

    /**
     * Applies a step to each element along the first axis of the sequences.
     *
     * @return the last state, and the outputs of all iterations stacked along a new first axis
     */
    public static ScanResult scan(List<Tensor> state, List<Tensor> sequences, Step step) {
        var all = new ArrayList<>(state);
        all.addAll(sequences);
        Recording recording = Operation.recording(all);
        return recording == null ? EagerScan.scan(state, sequences, step) : scan(recording, state, all, step);
    }

    private static ScanResult scan(Recording recording, List<Tensor> state, List<Tensor> all, Step step) {
        int carried = state.size();
        List<Value> values = values(recording, all);
        Body body = recording.builder().body(EagerScan.elementTypes(values, carried), given -> {
            var arguments = given.stream().map(v -> new Tensor(recording, v)).toList();
            ScanResult round = step.apply(arguments.subList(0, carried), arguments.subList(carried, given.size()));
            var results = new ArrayList<>(round.state());
            results.addAll(round.outputs());
            return values(recording, results);
        });
        var spec = new Op.Spec(
                "", "", "Scan", Attributes.of("num_scan_inputs", all.size() - carried), values, Map.of("body", body));
        List<Tensor> results =
                tensors(recording, recording.builder().op(spec, body.outputs().size()));
        return new ScanResult(results.subList(0, carried), results.subList(carried, results.size()));
    }

    private static List<Value> values(Recording recording, List<Tensor> tensors) {
        return tensors.stream().map(t -> t.value(recording)).toList();
    }

    private static List<Tensor> tensors(Recording recording, Op op) {
        return op.outputs().stream().map(v -> new Tensor(recording, v)).toList();
    }
}
