package io.knabla.functions.compiler.analyze;

import io.knabla.functions.compiler.analyze.Liveness.Sharing;
import io.knabla.functions.compiler.ir.Body;
import io.knabla.functions.compiler.ir.Op;
import io.knabla.functions.compiler.ir.Reachability;
import io.knabla.functions.compiler.ir.Value;
import io.knabla.functions.compiler.onnx.Shape;
import io.knabla.functions.compiler.onnx.TensorType;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToLongFunction;

/**
 * Predicted execution of a graph by the engine: order of operations and peak memory.
 *
 * @param order the operations in execution order
 * @param peak maximum bytes of intermediate values at one time; inputs and results are in the caller's memory
 */
public record ExecutionSchedule(List<Op> order, long peak) {

    private static final Set<String> SHAPED = Set.of("Reshape", "Expand");

    private static final Set<String> BROADCASTING =
            Set.of("Add", "Sub", "Mul", "Div", "Sum", "Where", "Max", "Min", "Pow");

    private static final Set<String> PRODUCTS = Set.of("MatMul", "Gemm");

    /**
     * Computes the schedule of the operations of one scope.
     *
     * @param file the operations in file order
     * @param results outputs that the caller receives
     * @param sizes size of a value in bytes
     */
    public static ExecutionSchedule of(List<Op> file, Collection<Value> results, ToLongFunction<TensorType> sizes) {
        List<Op> order = order(file);
        return new ExecutionSchedule(order, new PeakEstimator(sizes).peak(order, results));
    }

    /** Computes the schedule with every variable size taken as 1. */
    public static ExecutionSchedule of(List<Op> file, Collection<Value> results) {
        return of(file, results, SaturatingMath::bytes);
    }

    private static List<Op> order(List<Op> file) {
        Map<Op, Integer> places = new HashMap<>();
        file.forEach(op -> places.put(op, places.size()));
        var sources = new ArrayList<int[]>();
        for (Op op : file) {
            sources.add(op.operands().stream()
                    .filter(Objects::nonNull)
                    .map(v -> v.producer().map(places::get).orElse(null))
                    .filter(Objects::nonNull)
                    .mapToInt(Integer::intValue)
                    .toArray());
        }
        var order = new ArrayList<Op>(file.size());
        for (int place : EngineOrder.of(sources)) {
            order.add(file.get(place));
        }
        return order;
    }

    /** Numbers the values of one scope and computes its peak memory. */
    private static final class PeakEstimator {
        private final ToLongFunction<TensorType> sizes;
        private final Map<Value, Integer> numbers = new HashMap<>();
        private final List<Long> bytes = new ArrayList<>();
        private final List<Integer> kinds = new ArrayList<>();
        private final Map<List<Object>, Integer> kindsByShape = new HashMap<>();
        private final Set<Value> used = new HashSet<>();

        /** Values that are read by an operation other than a matrix product. */
        private final Set<Value> moved = new HashSet<>();

        /** Operations with result shapes that the engine does not know before the run. */
        private final Set<Op> blind = new HashSet<>();

        PeakEstimator(ToLongFunction<TensorType> sizes) {
            this.sizes = sizes;
        }

        long peak(List<Op> order, Collection<Value> results) {
            order.stream().filter(this::blind).forEach(blind::add);
            used.addAll(results);
            for (Op op : order) {
                used.addAll(op.operands());
                if (!PRODUCTS.contains(op.type())) {
                    moved.addAll(op.operands());
                }
            }
            moved.addAll(results);
            List<Liveness.Step> steps = order.stream().map(this::step).toList();
            int[] kept = results.stream().mapToInt(this::number).toArray();
            long[] sizes = bytes.stream().mapToLong(Long::longValue).toArray();
            return Liveness.peak(
                    steps, sizes, kinds.stream().mapToInt(Integer::intValue).toArray(), kept);
        }

        private Liveness.Step step(Op op) {
            int[] reads = op.operands().stream()
                    .filter(Objects::nonNull)
                    .mapToInt(this::number)
                    .toArray();
            int[] writes = op.outputs().stream()
                    .filter(v -> v.index() == 0 || used.contains(v))
                    .mapToInt(this::number)
                    .toArray();
            Sharing sharing = op.has(0) ? KernelSharing.of(OpCosts.qualified(op)) : Sharing.OWN;
            if (absorbed(op)) {
                sharing = Sharing.VIEW;
            }
            return new Liveness.Step(reads, writes, sharing, inside(op));
        }

        private long inside(Op op) {
            long most = 0;
            for (Body body : op.bodies().values()) {
                List<Op> ops = Reachability.ops(body.outputs(), body.scope());
                most = Math.max(most, new PeakEstimator(sizes).peak(ops, body.outputs()));
            }
            return most;
        }

        private int number(Value value) {
            Integer there = numbers.putIfAbsent(value, bytes.size());
            if (there == null) {
                bytes.add(sizes.applyAsLong(value.type()));
                kinds.add(kind(value));
            }
            return numbers.get(value);
        }

        private int kind(Value value) {
            Optional<Shape> shape = value.shape().filter(s -> s.rank() > 0);
            if (shape.isEmpty() || hidden(value)) {
                return BufferPlanner.ALONE;
            }
            int width = value.element().bits();
            return kindsByShape.computeIfAbsent(List.of(shape.get().dims(), width), _ -> kindsByShape.size());
        }

        /** Whether only matrix products read this transpose of the last two axes; they do so without a copy. */
        private boolean absorbed(Op op) {
            if (!op.is("Transpose") || !op.output().isFloat() || moved.contains(op.output())) {
                return false;
            }
            List<Long> axes = op.attributes().integers("perm").orElse(List.of());
            int rank = axes.size();
            for (int i = 0; i < rank - 2; i++) {
                if (axes.get(i) != i) {
                    return false;
                }
            }
            return rank >= 2 && axes.get(rank - 1) == rank - 2;
        }

        private boolean blind(Op op) {
            if (SHAPED.contains(op.type()) && op.has(1)) {
                return op.input(1)
                                .knownIntegers()
                                .filter(dims -> dims.stream().allMatch(d -> d > 0))
                                .isEmpty()
                        && (op.input(1).constant().isEmpty() || hidden(op.input(0)));
            }
            List<Value> operands =
                    op.operands().stream().filter(Objects::nonNull).toList();
            return operands.stream().anyMatch(this::hidden)
                    && !(BROADCASTING.contains(op.type())
                            && operands.stream()
                                    .anyMatch(v -> !hidden(v)
                                            && v.shape().equals(op.output().shape())));
        }

        /** Whether the engine does not know the value's shape before the run. */
        private boolean hidden(Value value) {
            return value.producer().filter(blind::contains).isPresent();
        }
    }
}
