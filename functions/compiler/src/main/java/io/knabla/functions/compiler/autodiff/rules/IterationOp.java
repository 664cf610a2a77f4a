package io.knabla.functions.compiler.autodiff.rules;

import io.knabla.functions.compiler.autodiff.rules.ScanBuilder.ScanAxis;
import io.knabla.functions.compiler.autodiff.rules.ScanBuilder.SlicedTensor;
import io.knabla.functions.compiler.ir.Body;
import io.knabla.functions.compiler.ir.Builder;
import io.knabla.functions.compiler.ir.Constants;
import io.knabla.functions.compiler.ir.Op;
import io.knabla.functions.compiler.ir.Rewriter;
import io.knabla.functions.compiler.ir.Value;
import io.knabla.functions.compiler.onnx.ElementType;
import io.knabla.functions.compiler.onnx.Shape;
import io.knabla.functions.compiler.onnx.TensorType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Common view of Scan and Loop: values carried from step to step, slices read, slices written. */
sealed interface IterationOp {
    Op op();

    /** Number of inputs before the carried ones. */
    int leadingInputs();

    int carriedCount();

    /** Types of the slices that a step reads in addition to the carried values. */
    List<TensorType> slices();

    /** Axis and direction along which the results of the steps are written. */
    List<ScanAxis> outputAxes();

    /** Emits one step into the builder's current scope: the carried values after it, then results. */
    List<Value> step(Builder builder, List<Value> carried, List<Value> slices);

    /** Emits the operation again, with the carried values before every step as additional outputs. */
    SavedSteps saveSteps(Builder builder, List<Integer> wanted);

    /**
     * Values of the forward steps that the backward pass reads.
     *
     * @param carried tensors of the carried values before every step, by index
     * @param slices tensors that the steps read
     */
    record SavedSteps(Map<Integer, Value> carriedCount, List<SlicedTensor> slices) {}

    default Body body() {
        return op().body("body");
    }

    default Value initial(int index) {
        return op().input(leadingInputs() + index);
    }

    /** Copies a body, with some of its parameters as additional outputs. */
    static Body withExtraOutputs(Builder builder, Body body, List<Value> more) {
        var types = body.parameters().stream().map(Value::type).toList();
        return builder.body(types, given -> {
            var outputs = new ArrayList<>(Rewriter.inline(builder, body, given));
            more.forEach(p -> outputs.add(given.get(body.parameters().indexOf(p))));
            return outputs;
        });
    }

    /** A Scan: iterates over slices of tensors. */
    record ScanOp(Op op) implements IterationOp {
        @Override
        public int leadingInputs() {
            return 0;
        }

        @Override
        public int carriedCount() {
            return op.inputs().size() - (int) op.attributes().integer("num_scan_inputs", 1);
        }

        List<SlicedTensor> streams() {
            List<Value> values = op.inputs().subList(carriedCount(), op.inputs().size());
            List<ScanAxis> places = places("input", values.size());
            var streams = new ArrayList<SlicedTensor>();
            for (int i = 0; i < values.size(); i++) {
                streams.add(new SlicedTensor(values.get(i), places.get(i)));
            }
            return streams;
        }

        @Override
        public List<TensorType> slices() {
            return streams().stream().map(SlicedTensor::slice).toList();
        }

        @Override
        public List<ScanAxis> outputAxes() {
            return places("output", op.outputs().size() - carriedCount());
        }

        private List<ScanAxis> places(String of, int count) {
            List<Long> none = Collections.nCopies(count, 0L);
            List<Long> axes = op.attributes().integers("scan_" + of + "_axes").orElse(none);
            List<Long> turns =
                    op.attributes().integers("scan_" + of + "_directions").orElse(none);
            var places = new ArrayList<ScanAxis>();
            for (int i = 0; i < count; i++) {
                places.add(new ScanAxis(axes.get(i), turns.get(i) == 1));
            }
            return places;
        }

        @Override
        public List<Value> step(Builder builder, List<Value> carried, List<Value> slices) {
            var arguments = new ArrayList<>(carried);
            arguments.addAll(slices);
            return Rewriter.inline(builder, body(), arguments);
        }

        @Override
        public SavedSteps saveSteps(Builder builder, List<Integer> wanted) {
            var found = new HashMap<Integer, Value>();
            var missing = new ArrayList<Integer>();
            for (int i : wanted) {
                Value there = existingOutput(i);
                if (there == null) {
                    missing.add(i);
                } else {
                    found.put(i, there);
                }
            }
            if (!missing.isEmpty()) {
                List<Value> parameters =
                        missing.stream().map(body().parameters()::get).toList();
                var places = new ArrayList<>(outputAxes());
                missing.forEach(_ -> places.add(ScanAxis.FORWARDS));
                Body more = withExtraOutputs(builder, body(), parameters);
                List<Value> initial = op.inputs().subList(0, carriedCount());
                List<Value> made = ScanBuilder.of(builder, initial, streams(), places, more)
                        .outputs();
                int first = op.outputs().size();
                for (int i = 0; i < missing.size(); i++) {
                    found.put(missing.get(i), made.get(first + i));
                }
            }
            return new SavedSteps(found, streams());
        }

        /** The output that already holds a carried value before every step, if any. */
        private Value existingOutput(int index) {
            List<ScanAxis> places = outputAxes();
            for (int i = 0; i < places.size(); i++) {
                boolean same = body().outputs().get(carriedCount() + i)
                        == body().parameters().get(index);
                if (same && places.get(i).equals(ScanAxis.FORWARDS)) {
                    return op.output(carriedCount() + i);
                }
            }
            return null;
        }
    }

    /** A Loop: iterates while its condition holds; the stacked iteration counter gives the number of steps. */
    record LoopOp(Op op) implements IterationOp {
        private static final TensorType COUNT = TensorType.of(ElementType.INT64, Shape.SCALAR);

        @Override
        public int leadingInputs() {
            return 2;
        }

        @Override
        public int carriedCount() {
            return Math.max(0, op.inputs().size() - 2);
        }

        @Override
        public List<TensorType> slices() {
            return List.of(COUNT);
        }

        @Override
        public List<ScanAxis> outputAxes() {
            return Collections.nCopies(op.outputs().size() - carriedCount(), ScanAxis.FORWARDS);
        }

        @Override
        public List<Value> step(Builder builder, List<Value> carried, List<Value> slices) {
            var arguments = new ArrayList<Value>();
            arguments.add(slices.getFirst());
            arguments.add(builder.constant(Constants.scalar(ElementType.BOOL, 1)));
            arguments.addAll(carried);
            List<Value> all = Rewriter.inline(builder, body(), arguments);
            return all.subList(1, all.size());
        }

        @Override
        public SavedSteps saveSteps(Builder builder, List<Integer> wanted) {
            List<Value> parameters = body().parameters();
            var kept = new ArrayList<Value>();
            kept.add(parameters.getFirst());
            wanted.forEach(i -> kept.add(parameters.get(2 + i)));
            Body more = withExtraOutputs(builder, body(), kept);
            var spec = new Op.Spec("", "", "Loop", op.attributes(), op.inputs(), Map.of("body", more));
            int first = op.outputs().size();
            List<Value> made = builder.op(spec, first + kept.size()).outputs();
            var found = new HashMap<Integer, Value>();
            for (int i = 0; i < wanted.size(); i++) {
                found.put(wanted.get(i), made.get(first + 1 + i));
            }
            return new SavedSteps(found, List.of(new SlicedTensor(made.get(first), ScanAxis.FORWARDS)));
        }
    }
}
