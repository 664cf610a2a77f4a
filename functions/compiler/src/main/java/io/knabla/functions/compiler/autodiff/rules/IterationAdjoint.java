package io.knabla.functions.compiler.autodiff.rules;

import io.knabla.functions.compiler.autodiff.reverse.RuleContext;
import io.knabla.functions.compiler.autodiff.rules.IterationOp.SavedSteps;
import io.knabla.functions.compiler.autodiff.rules.ScanBuilder.ScanAxis;
import io.knabla.functions.compiler.autodiff.rules.ScanBuilder.SlicedTensor;
import io.knabla.functions.compiler.ir.Body;
import io.knabla.functions.compiler.ir.Op;
import io.knabla.functions.compiler.ir.Reachability;
import io.knabla.functions.compiler.ir.UnsupportedOperatorException;
import io.knabla.functions.compiler.ir.Value;
import io.knabla.functions.compiler.onnx.Dim;
import io.knabla.functions.compiler.onnx.TensorType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Differentiates Scan and Loop: emits a Scan over the steps in reverse, which recomputes each step and carries
 * adjoints. A step is recomputed from the carried values before it; the adjoints are those of the carried values and
 * the sums for captures.
 */
final class IterationAdjoint {
    private final RuleContext at;
    private final IterationOp repeated;
    private final List<Value> dy;
    private final int carried;

    /** Indices of the carried values that can have adjoints. */
    private final List<Integer> real;

    private final List<Value> captures;

    /** Indices of the step results that have an adjoint. */
    private final List<Integer> results;

    /** Indices of the sliced inputs whose adjoints are needed. */
    private final List<Integer> read;

    IterationAdjoint(RuleContext at, IterationOp repeated, List<Value> dy) {
        this.at = at;
        this.repeated = repeated;
        this.dy = dy;
        this.carried = repeated.carriedCount();
        Op op = repeated.op();
        this.real = IntStream.range(0, carried)
                .filter(i -> op.output(i).isFloat())
                .boxed()
                .toList();
        this.captures = ControlFlow.activeCaptures(at, op);
        this.results = IntStream.range(carried, op.outputs().size())
                .filter(i -> dy.get(i) != null)
                .boxed()
                .toList();
        int slices = op.inputs().size() - repeated.leadingInputs() - carried;
        this.read = IntStream.range(0, Math.max(0, slices))
                .filter(i -> at.needsAdjoint(op, repeated.leadingInputs() + carried + i))
                .boxed()
                .toList();
    }

    List<Value> adjoints() {
        ControlFlow.requireDeterministic(repeated.body());
        requireSameShapes();
        Body body = at.builder().body(parameters(), this::step);
        return inOperandOrder(emitScan(body));
    }

    private void requireSameShapes() {
        List<Value> after = repeated.body().outputs();
        int condition = repeated.leadingInputs() == 0 ? 0 : 1;
        for (int i : real) {
            TensorType from = repeated.initial(i).type();
            TensorType to = after.get(condition + i).type();
            if (differ(from, to)) {
                throw new UnsupportedOperatorException(
                        "a value that it carries changes its shape from %s to %s in a step; carry tensors of one shape, or export the loop unrolled"
                                .formatted(from.shape().get(), to.shape().get()));
            }
        }
    }

    private static boolean differ(TensorType a, TensorType b) {
        if (a.shape().isEmpty() || b.shape().isEmpty()) {
            return false;
        }
        List<Dim> from = a.shape().get().dims();
        List<Dim> to = b.shape().get().dims();
        return from.size() != to.size()
                || IntStream.range(0, from.size())
                        .anyMatch(i -> from.get(i).known()
                                && to.get(i).known()
                                && !from.get(i).equals(to.get(i)));
    }

    /** Adjoints of carried values, sums for captures; carried values, slices, adjoints of results. */
    private List<TensorType> parameters() {
        var types = new ArrayList<TensorType>();
        real.forEach(i -> types.add(repeated.initial(i).type()));
        captures.forEach(v -> types.add(v.type()));
        IntStream.range(0, carried).forEach(i -> types.add(repeated.initial(i).type()));
        types.addAll(repeated.slices());
        results.forEach(i -> types.add(ofResult(i).slice()));
        return types;
    }

    private SlicedTensor ofResult(int output) {
        ScanAxis place = repeated.outputAxes().get(output - carried);
        return new SlicedTensor(dy.get(output), place.reversed());
    }

    private List<Value> step(List<Value> given) {
        var all = new ArrayList<>(given);
        List<Value> after = take(all, real.size());
        List<Value> sums = take(all, captures.size());
        List<Value> before = take(all, carried);
        List<Value> slices = take(all, repeated.slices().size());
        List<Value> made = repeated.step(at.builder(), before, slices);
        Map<Value, Value> found = ControlFlow.adjoints(at, made, seeds(after, all), wrt(before, slices));
        var outputs = new ArrayList<Value>();
        real.forEach(i -> outputs.add(orZeros(found, before.get(i))));
        for (int i = 0; i < captures.size(); i++) {
            Value adjoint = found.get(captures.get(i));
            outputs.add(adjoint == null ? sums.get(i) : at.add(sums.get(i), adjoint));
        }
        read.forEach(i -> outputs.add(orZeros(found, slices.get(i))));
        return outputs;
    }

    private static List<Value> take(List<Value> from, int count) {
        List<Value> taken = List.copyOf(from.subList(0, count));
        from.subList(0, count).clear();
        return taken;
    }

    private List<Value> seeds(List<Value> after, List<Value> ofResults) {
        int outputs = repeated.op().outputs().size();
        var seeds = new ArrayList<Value>(Collections.nCopies(outputs, null));
        for (int i = 0; i < real.size(); i++) {
            seeds.set(real.get(i), after.get(i));
        }
        for (int i = 0; i < results.size(); i++) {
            seeds.set(results.get(i), ofResults.get(i));
        }
        return seeds;
    }

    private List<Value> wrt(List<Value> before, List<Value> slices) {
        var wrt = new ArrayList<Value>();
        real.forEach(i -> wrt.add(before.get(i)));
        wrt.addAll(captures);
        read.forEach(i -> wrt.add(slices.get(i)));
        return wrt;
    }

    private Value orZeros(Map<Value, Value> found, Value of) {
        Value adjoint = found.get(of);
        return adjoint == null ? at.zeros(of) : adjoint;
    }

    /** Emits the Scan; it reads only what its body uses. */
    private List<Value> emitScan(Body body) {
        List<Value> parameters = body.parameters();
        Set<Value> used = used(body);
        int first = real.size() + captures.size();
        List<Integer> wanted = IntStream.range(0, carried)
                .filter(i -> used.contains(parameters.get(first + i)))
                .boxed()
                .toList();
        SavedSteps stashed = repeated.saveSteps(at.builder(), wanted);
        var streams = new ArrayList<SlicedTensor>();
        for (int i = 0; i < carried; i++) {
            Value all = stashed.carriedCount().get(i);
            streams.add(all == null ? null : new SlicedTensor(all, ScanAxis.BACKWARDS));
        }
        stashed.slices()
                .forEach(s ->
                        streams.add(new SlicedTensor(s.value(), s.scanAxis().reversed())));
        results.forEach(i -> streams.add(ofResult(i)));

        var kept = new ArrayList<>(parameters.subList(0, first));
        var read = new ArrayList<SlicedTensor>();
        for (int i = 0; i < streams.size(); i++) {
            Value parameter = parameters.get(first + i);
            // A Scan needs at least one sliced input, which gives the number of steps.
            boolean last = i == carried && read.isEmpty();
            if (streams.get(i) != null && (used.contains(parameter) || last)) {
                kept.add(parameter);
                read.add(streams.get(i));
            }
        }
        Body trimmed = new Body(body.scope(), kept, body.outputs());
        return ScanBuilder.of(at.builder(), initial(), read, outputAxes(), trimmed)
                .outputs();
    }

    private List<Value> initial() {
        var initial = new ArrayList<Value>();
        real.forEach(i -> initial.add(dy.get(i) == null ? at.zeros(repeated.initial(i)) : dy.get(i)));
        captures.forEach(v -> initial.add(at.zeros(v)));
        return initial;
    }

    private List<ScanAxis> outputAxes() {
        if (repeated instanceof IterationOp.ScanOp scan) {
            return read.stream()
                    .map(i -> scan.streams().get(i).scanAxis().reversed())
                    .toList();
        }
        return List.of();
    }

    private static Set<Value> used(Body body) {
        var used = new HashSet<>(body.outputs());
        for (Op op : Reachability.ops(body.outputs())) {
            used.addAll(op.presentInputs());
            op.bodies().values().forEach(inner -> used.addAll(inner.outputs()));
        }
        return used;
    }

    private List<Value> inOperandOrder(List<Value> made) {
        Op op = repeated.op();
        List<Value> adjoints =
                ControlFlow.ofCaptures(op, captures, made.subList(real.size(), real.size() + captures.size()));
        for (int i = 0; i < real.size(); i++) {
            adjoints.set(repeated.leadingInputs() + real.get(i), made.get(i));
        }
        for (int i = 0; i < read.size(); i++) {
            int input = repeated.leadingInputs() + carried + read.get(i);
            adjoints.set(input, made.get(real.size() + captures.size() + i));
        }
        return adjoints;
    }
}
