package io.knabla.functions.compiler.autodiff.rules;

import ai.onnx.proto.OnnxMl.AttributeProto;
import com.google.protobuf.ByteString;
import io.knabla.functions.compiler.autodiff.reverse.Rule;
import io.knabla.functions.compiler.autodiff.reverse.RuleContext;
import io.knabla.functions.compiler.autodiff.rules.RecurrentCells.Adjoints;
import io.knabla.functions.compiler.ir.Op;
import io.knabla.functions.compiler.ir.UnsupportedOperatorException;
import io.knabla.functions.compiler.ir.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Derivative rules of LSTM, GRU and RNN, one direction at a time; the forward pass keeps the engine's fused kernel. */
final class Recurrent {
    private static final int INPUTS = 7;

    private Recurrent() {}

    @FunctionalInterface
    private interface Cell {
        Adjoints of(RecurrentLayer layer, int direction);
    }

    static void register(Map<String, Rule> table) {
        table.put("LSTM", Recurrent::lstm);
        table.put("GRU", Recurrent::gru);
        table.put("RNN", Recurrent::rnn);
    }

    private static List<Value> lstm(RuleContext at, Op op, List<Value> dy) {
        if (op.has(7)) {
            throw new UnsupportedOperatorException(
                    "its peephole weights (input P) are not differentiated; export the layer without them");
        }
        if (op.attributes().integer("input_forget", 0) != 0) {
            throw new UnsupportedOperatorException(
                    "coupled gates (input_forget) are not differentiated; leave them apart");
        }
        usual(op, List.of("sigmoid", "tanh", "tanh"));
        return layers(at, op, dy, (layer, _) -> RecurrentCells.lstm(layer));
    }

    private static List<Value> gru(RuleContext at, Op op, List<Value> dy) {
        usual(op, List.of("sigmoid", "tanh"));
        boolean after = op.attributes().integer("linear_before_reset", 0) != 0;
        return layers(
                at,
                op,
                dy,
                (layer, _) -> after ? RecurrentCells.gruResetAfter(layer) : RecurrentCells.gruResetBefore(layer));
    }

    private static List<Value> rnn(RuleContext at, Op op, List<Value> dy) {
        List<String> activations = activations(op);
        return layers(at, op, dy, (layer, direction) -> {
            String activation = direction < activations.size() ? activations.get(direction) : "tanh";
            return RecurrentCells.simple(layer, slope(layer, activation));
        });
    }

    private static Value slope(RecurrentLayer layer, String activation) {
        Value y = layer.after();
        return switch (activation) {
            case "tanh" -> layer.tanhSlope(y);
            case "sigmoid" -> layer.slope(y);
            case "relu" -> layer.at.indicator(layer.at.greater(y, layer.at.scalar(y, 0)), y);
            default ->
                throw new UnsupportedOperatorException(
                        "its activation " + activation + " is not differentiated; Tanh, Relu and Sigmoid are");
        };
    }

    private static List<String> activations(Op op) {
        AttributeProto stated = op.attributes().values().get("activations");
        return stated == null
                ? List.of()
                : stated.getStringsList().stream()
                        .map(ByteString::toStringUtf8)
                        .map(name -> name.toLowerCase(Locale.ROOT))
                        .toList();
    }

    private static void usual(Op op, List<String> usual) {
        List<String> found = activations(op);
        for (int i = 0; i < found.size(); i++) {
            if (!found.get(i).equals(usual.get(i % usual.size()))) {
                throw new UnsupportedOperatorException(
                        "its activations " + found + " are not differentiated; " + usual + " are");
            }
        }
    }

    private static List<Value> layers(RuleContext at, Op op, List<Value> dy, Cell cell) {
        if (op.attributes().has("clip")) {
            throw new UnsupportedOperatorException("its attribute clip is not differentiated; export it without");
        }
        boolean sized = op.input(2).shape().filter(s -> s.dim(2).known()).isPresent();
        if (!sized) {
            throw new UnsupportedOperatorException(
                    "the size of its recurrence weights (input R) is not known; give it in the model");
        }
        boolean both = op.attributes().text("direction", "forward").equals("bidirectional");
        int directions = both ? 2 : 1;
        var parts = new ArrayList<List<Value>>();
        for (int i = 0; i < directions; i++) {
            var layer = new RecurrentLayer(at, op, dy, i, directions);
            parts.add(inputs(layer, op, cell.of(layer, i)));
        }
        var adjoints = new ArrayList<Value>();
        for (int input = 0; input < INPUTS; input++) {
            adjoints.add(joined(at, op, parts, input));
        }
        return adjoints;
    }

    /** Adjoints of the operation's inputs, without the axis of directions. */
    private static List<Value> inputs(RecurrentLayer layer, Op op, Adjoints found) {
        RuleContext at = layer.at;
        Value dx = layer.reversedIfBackward(layer.times(found.fromInput(), layer.weights(1), false));
        Value dw = layer.products(found.fromInput(), layer.x());
        Value ofInput = layer.sums(found.fromInput());
        Value ofState = found.fromState() == found.fromInput() ? ofInput : layer.sums(found.fromState());
        Value db = at.concat(0, ofInput, ofState);
        Value c0 = found.initial().size() > 1 ? found.initial().get(1) : null;
        return RuleContext.of(dx, dw, found.r(), db, null, found.initial().getFirst(), c0);
    }

    private static Value joined(RuleContext at, Op op, List<List<Value>> parts, int input) {
        if (!op.has(input) || parts.getFirst().get(input) == null) {
            return null;
        }
        List<Value> found = parts.stream().map(part -> part.get(input)).toList();
        if (input == 0) {
            return at.sum(found);
        }
        return at.concat(0, found.stream().map(v -> at.unsqueeze(v, 0)).toList());
    }
}
