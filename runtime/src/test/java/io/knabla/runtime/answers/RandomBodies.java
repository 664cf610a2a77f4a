package io.knabla.runtime.answers;

import static io.knabla.functions.compiler.onnx.ElementType.BOOL;
import static io.knabla.functions.compiler.onnx.ElementType.INT64;

import ai.onnx.proto.OnnxMl.AttributeProto;
import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import io.knabla.functions.Onnx;
import io.knabla.functions.compiler.interpreter.NdArray;
import io.knabla.functions.compiler.onnx.ElementType;
import io.knabla.runtime.answers.Draft.Var;
import java.util.ArrayList;
import java.util.List;

/** Adds If, Loop and Scan whose bodies also return what they did not make. */
final class RandomBodies {
    private final Draft draft;
    private final GraphProto.Builder body = GraphProto.newBuilder();

    private RandomBodies(Draft draft) {
        this.draft = draft;
        body.setName(draft.name());
    }

    static void add(Draft draft) {
        Var x = draft.find(value -> value.isTable() && !value.is(ElementType.STRING));
        if (x == null) {
            return;
        }
        switch (draft.below(draft.byRows ? 2 : 4)) {
            case 0 -> choice(draft, x);
            case 1 -> loop(draft, x, false);
            case 2 -> loop(draft, x, true);
            default -> scan(draft, x);
        }
    }

    /** Returns a value that is not made in the body: as it is, or a copy or a negative of it. */
    private void output(Var value) {
        Var returned = value;
        switch (draft.below(3)) {
            case 0 -> draft.oddBodies = true;
            case 1 -> returned = node("Identity", value);
            default -> returned = node(value.is(BOOL) ? "Not" : "Neg", value);
        }
        body.addOutput(returned.info());
    }

    private Var node(String op, Var value) {
        var made = new Var(draft.name(), value.type(), value.shape());
        body.addNode(NodeProto.newBuilder().setOpType(op).addInput(value.name()).addOutput(made.name()));
        return made;
    }

    private void add(String op, List<String> from, List<Var> outputs, AttributeProto... attributes) {
        draft.nodes.add(NodeProto.newBuilder()
                .setOpType(op)
                .addAllInput(from)
                .addAllOutput(outputs.stream().map(Var::name).toList())
                .addAllAttribute(List.of(attributes))
                .build());
        draft.values.addAll(outputs);
    }

    private static Var like(Draft draft, Var value) {
        return new Var(draft.name(), value.type(), value.shape());
    }

    private static void choice(Draft draft, Var x) {
        Var condition = draft.byRows
                ? null
                : draft.find(value -> value.is(BOOL) && value.shape().isEmpty());
        if (condition == null) {
            condition = draft.constant(NdArray.scalar(BOOL, draft.below(2)));
        }
        var then = new RandomBodies(draft);
        then.output(x);
        then.output(x);
        var otherwise = new RandomBodies(draft);
        otherwise.output(x);
        otherwise.output(x);
        then.add(
                "If",
                List.of(condition.name()),
                List.of(like(draft, x), like(draft, x)),
                Onnx.subgraph("then_branch", then.body.build()),
                Onnx.subgraph("else_branch", otherwise.body.build()));
    }

    /** Carries two values like {@code x}. */
    private static void loop(Draft draft, Var x, boolean stacks) {
        var loop = new RandomBodies(draft);
        var number = new Var(draft.name(), INT64, List.of());
        var condition = new Var(draft.name(), BOOL, List.of());
        Var a = like(draft, x);
        Var b = like(draft, x);
        List.of(number, condition, a, b).forEach(value -> loop.body.addInput(value.info()));
        loop.body.addOutput(condition.info());
        for (int i = 0; i < 2; i++) {
            loop.output(draft.one(List.of(a, b, x)));
        }
        List<Var> outputs = new ArrayList<>(List.of(like(draft, x), like(draft, x)));
        int trips = draft.below(4);
        if (stacks) {
            loop.output(number);
            outputs.add(new Var(draft.name(), INT64, List.of(trips)));
        }
        Var count = draft.constant(NdArray.scalar(INT64, trips));
        Var start =
                draft.find(value -> value.type() == x.type() && value.shape().equals(x.shape()));
        loop.add(
                "Loop",
                List.of(count.name(), "", x.name(), start.name()),
                outputs,
                Onnx.subgraph("body", loop.body.build()));
    }

    /** Goes through the rows of {@code x} with one of a constant's as state. */
    private static void scan(Draft draft, Var x) {
        draft.needsRows = true;
        var scan = new RandomBodies(draft);
        List<Integer> row = List.of(x.columns());
        Var state = new Var(draft.name(), x.type(), row);
        Var element = new Var(draft.name(), x.type(), row);
        List.of(state, element).forEach(value -> scan.body.addInput(value.info()));
        scan.output(draft.one(List.of(state, element)));
        scan.output(draft.one(List.of(state, element)));
        Var start = draft.constant(RandomNumbers.array(draft.random, x.type(), row, 0));
        scan.add(
                "Scan",
                List.of(start.name(), x.name()),
                List.of(new Var(draft.name(), x.type(), row), like(draft, x)),
                Onnx.subgraph("body", scan.body.build()),
                Onnx.integer("num_scan_inputs", 1));
    }
}
