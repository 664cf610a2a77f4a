package io.knabla.functions.compiler.autodiff.rules;

import io.knabla.functions.compiler.autodiff.rules.Scans.Place;
import io.knabla.functions.compiler.autodiff.rules.Scans.Stream;
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

/** Scan and Loop seen as one: values carried from step to step, slices read, slices written. */
sealed interface Repeated {
    Op op();

    /** Inputs before the carried ones. */
    int leading();

    int carried();

    /** Types of what a step reads beside the carried values. */
    List<TensorType> slices();

    /** Where the results of the steps go. */
    List<Place> written();

    /** One step again, where the builder stands: the carried values after it, then results. */
    List<Value> step(Builder builder, List<Value> carried, List<Value> slices);

    /** The operation again with the carried values before every step, and what it reads. */
    Stashed stashed(Builder builder, List<Integer> wanted);

    /**
     * @param carried tensors of the carried values before every step, by index
     * @param slices what the steps read
     */
    record Stashed(Map<Integer, Value> carried, List<Stream> slices) {}

    default Body body() {
        return op().body("body");
    }

    default Value initial(int index) {
        return op().input(leading() + index);
    }

    /** A body once more, also giving out some of its parameters. */
    static Body giving(Builder builder, Body body, List<Value> more) {
        var types = body.parameters().stream().map(Value::type).toList();
        return builder.body(types, given -> {
            var outputs = new ArrayList<>(Rewriter.inline(builder, body, given));
            more.forEach(p -> outputs.add(given.get(body.parameters().indexOf(p))));
            return outputs;
        });
    }

    /** Over tensors cut in slices. */
    record OfScan(Op op) implements Repeated {
        @Override
        public int leading() {
            return 0;
        }

        @Override
        public int carried() {
            return op.inputs().size() - (int) op.attributes().integer("num_scan_inputs", 1);
        }

        List<Stream> streams() {
            List<Value> values = op.inputs().subList(carried(), op.inputs().size());
            List<Place> places = places("input", values.size());
            var streams = new ArrayList<Stream>();
            for (int i = 0; i < values.size(); i++) {
                streams.add(new Stream(values.get(i), places.get(i)));
            }
            return streams;
        }

        @Override
        public List<TensorType> slices() {
            return streams().stream().map(Stream::slice).toList();
        }

        @Override
        public List<Place> written() {
            return places("output", op.outputs().size() - carried());
        }

        private List<Place> places(String of, int count) {
            List<Long> none = Collections.nCopies(count, 0L);
            List<Long> axes = op.attributes().integers("scan_" + of + "_axes").orElse(none);
            List<Long> turns =
                    op.attributes().integers("scan_" + of + "_directions").orElse(none);
            var places = new ArrayList<Place>();
            for (int i = 0; i < count; i++) {
                places.add(new Place(axes.get(i), turns.get(i) == 1));
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
        public Stashed stashed(Builder builder, List<Integer> wanted) {
            var found = new HashMap<Integer, Value>();
            var missing = new ArrayList<Integer>();
            for (int i : wanted) {
                Value there = given(i);
                if (there == null) {
                    missing.add(i);
                } else {
                    found.put(i, there);
                }
            }
            if (!missing.isEmpty()) {
                List<Value> parameters =
                        missing.stream().map(body().parameters()::get).toList();
                var places = new ArrayList<>(written());
                missing.forEach(_ -> places.add(Place.FORWARDS));
                Body more = giving(builder, body(), parameters);
                List<Value> initial = op.inputs().subList(0, carried());
                List<Value> made =
                        Scans.of(builder, initial, streams(), places, more).outputs();
                int first = op.outputs().size();
                for (int i = 0; i < missing.size(); i++) {
                    found.put(missing.get(i), made.get(first + i));
                }
            }
            return new Stashed(found, streams());
        }

        /** The result that already holds a carried value before every step, if there is one. */
        private Value given(int index) {
            List<Place> places = written();
            for (int i = 0; i < places.size(); i++) {
                boolean same = body().outputs().get(carried() + i)
                        == body().parameters().get(index);
                if (same && places.get(i).equals(Place.FORWARDS)) {
                    return op.output(carried() + i);
                }
            }
            return null;
        }
    }

    /** For as long as its condition holds; the steps that were made are counted by the stash. */
    record OfLoop(Op op) implements Repeated {
        private static final TensorType COUNT = TensorType.of(ElementType.INT64, Shape.SCALAR);

        @Override
        public int leading() {
            return 2;
        }

        @Override
        public int carried() {
            return Math.max(0, op.inputs().size() - 2);
        }

        @Override
        public List<TensorType> slices() {
            return List.of(COUNT);
        }

        @Override
        public List<Place> written() {
            return Collections.nCopies(op.outputs().size() - carried(), Place.FORWARDS);
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
        public Stashed stashed(Builder builder, List<Integer> wanted) {
            List<Value> parameters = body().parameters();
            var kept = new ArrayList<Value>();
            kept.add(parameters.getFirst());
            wanted.forEach(i -> kept.add(parameters.get(2 + i)));
            Body more = giving(builder, body(), kept);
            var spec = new Op.Spec("", "", "Loop", op.attributes(), op.inputs(), Map.of("body", more));
            int first = op.outputs().size();
            List<Value> made = builder.op(spec, first + kept.size()).outputs();
            var found = new HashMap<Integer, Value>();
            for (int i = 0; i < wanted.size(); i++) {
                found.put(wanted.get(i), made.get(first + 1 + i));
            }
            return new Stashed(found, List.of(new Stream(made.get(first), Place.FORWARDS)));
        }
    }
}
