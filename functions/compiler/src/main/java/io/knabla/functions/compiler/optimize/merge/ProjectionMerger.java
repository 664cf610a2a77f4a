package io.knabla.functions.compiler.optimize.merge;

import ai.onnx.proto.OnnxMl.TensorProto;
import io.knabla.functions.compiler.ir.Attributes;
import io.knabla.functions.compiler.ir.Dag;
import io.knabla.functions.compiler.ir.Op;
import io.knabla.functions.compiler.ir.Ops;
import io.knabla.functions.compiler.ir.Rewriter;
import io.knabla.functions.compiler.ir.Value;
import io.knabla.functions.compiler.onnx.TensorProtos;
import io.knabla.functions.compiler.optimize.merge.MergeDecision.Facts;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Merges three or more products of one input with constant matrices into one product and a Split. The matrices, such as
 * query, key and value of attention, are concatenated.
 */
public final class ProjectionMerger {
    /** Products of one input that can be merged, and the decision. */
    private record Group(List<Projection> members, MergeDecision decision) {}

    private final Map<Value, Group> groups = new HashMap<>();
    private final Map<Group, List<Value>> made = new HashMap<>();

    private ProjectionMerger() {}

    /** Decides for every set of three or more products of one input whether to merge it, and why. */
    public static List<MergeDecision> decide(Dag dag, Collection<Value> kept) {
        return groups(dag, kept).stream().map(Group::decision).toList();
    }

    /**
     * Merges products where that is faster.
     *
     * @param kept values that must keep their identity, such as gradient targets
     */
    public static Dag apply(Dag dag, Collection<Value> kept) {
        var merging = new ProjectionMerger();
        for (Group group : groups(dag, kept)) {
            if (group.decision().merge()) {
                group.members().forEach(p -> merging.groups.put(p.weight(), group));
            }
        }
        return merging.groups.isEmpty() ? dag : Rewriter.apply(dag, merging::rewritten);
    }

    private static List<Group> groups(Dag dag, Collection<Value> kept) {
        var sharing = new LinkedHashMap<Projection.Kind, List<Projection>>();
        for (Op op : dag.ops()) {
            if (op.scope().equals(dag.builder().root())) {
                Projection.of(op)
                        .ifPresent(p -> sharing.computeIfAbsent(p.kind(), _ -> new ArrayList<>())
                                .add(p));
            }
        }
        var uses = new UseCounts(dag);
        Set<Value> fixed = new HashSet<>(kept);
        return sharing.values().stream()
                .filter(all -> all.size() > 2)
                .map(all -> group(all, uses, fixed))
                .toList();
    }

    private static Group group(List<Projection> all, UseCounts uses, Set<Value> kept) {
        var members = new ArrayList<Projection>();
        var obstacles = new ArrayList<String>();
        for (Projection one : all) {
            Optional<String> obstacle = obstacle(one, uses, kept);
            obstacle.ifPresent(why -> obstacles.add("'%s' %s".formatted(one.label(), why)));
            if (obstacle.isEmpty()) {
                members.add(one);
            }
        }
        Projection first = all.getFirst();
        var facts = new Facts(
                all.stream().map(Projection::label).toList(),
                first.weight().element(),
                first.rows(),
                first.inner(),
                members.stream().map(Projection::width).toList(),
                obstacles);
        return new Group(List.copyOf(members), MergeDecision.of(facts));
    }

    private static Optional<String> obstacle(Projection one, UseCounts uses, Set<Value> kept) {
        if (kept.contains(one.op().output()) || one.exclusiveValues().stream().anyMatch(kept::contains)) {
            return Optional.of("is a gradient target, and keeps its name and gradient");
        }
        if (!one.exclusiveValues().stream().allMatch(uses::isUsedOnce)) {
            return Optional.of("is used elsewhere, too");
        }
        boolean outside = one.exclusiveValues().stream()
                .flatMap(v -> v.constant().stream())
                .anyMatch(TensorProtos::isExternal);
        return outside ? Optional.of("lies outside the model file") : Optional.empty();
    }

    private Optional<List<Value>> rewritten(Ops code, Op op) {
        Optional<Projection> projection = Projection.of(op);
        Group group = projection.map(p -> groups.get(p.weight())).orElse(null);
        if (group == null) {
            return Optional.empty();
        }
        List<Value> parts = made.computeIfAbsent(group, g -> merged(code, op, g.members()));
        for (int i = 0; i < parts.size(); i++) {
            if (group.members().get(i).weight() == projection.get().weight()) {
                return Optional.of(List.of(parts.get(i)));
            }
        }
        throw new IllegalStateException(op + " is not of its own group");
    }

    private static List<Value> merged(Ops code, Op like, List<Projection> members) {
        Projection first = members.getFirst();
        var inputs = new ArrayList<Value>();
        inputs.add(like.input(0));
        Value weight = joined(code, members.stream().map(Projection::weight).toList(), first.columnAxis());
        inputs.add(first.transpose()
                .map(turn -> code.op("Transpose", turn.attributes(), weight))
                .orElse(weight));
        if (first.bias().isPresent()) {
            var biases = members.stream().map(p -> p.bias().orElseThrow()).toList();
            inputs.add(joined(code, biases, 0));
        }
        Value whole = code.op(like.type(), like.attributes(), inputs.toArray(Value[]::new));
        Value widths = code.ints(members.stream().map(Projection::width).toList());
        var split = Op.Spec.of("Split", Attributes.of("axis", whole.rank() - 1), List.of(whole, widths));
        var names = members.stream().map(p -> p.op().output().name()).toList();
        return code.builder().op(split, members.size(), names, List.of()).outputs();
    }

    private static Value joined(Ops code, List<Value> values, int axis) {
        String name = values.stream().map(Value::name).collect(Collectors.joining("+"));
        List<TensorProto> parts =
                values.stream().map(v -> v.constant().orElseThrow()).toList();
        return code.builder().initializer(WeightConcatenation.concat(name, parts, axis));
    }
}
