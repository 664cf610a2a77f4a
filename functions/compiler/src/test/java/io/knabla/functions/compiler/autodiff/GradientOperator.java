package io.knabla.functions.compiler.autodiff;

import com.google.protobuf.ByteString;
import io.knabla.functions.Fault;
import io.knabla.functions.compiler.autodiff.reverse.NotDifferentiableException;
import io.knabla.functions.compiler.autodiff.reverse.Sweep;
import io.knabla.functions.compiler.autodiff.rules.StandardRules;
import io.knabla.functions.compiler.ir.Dag;
import io.knabla.functions.compiler.ir.Op;
import io.knabla.functions.compiler.ir.Ops;
import io.knabla.functions.compiler.ir.Rewriter;
import io.knabla.functions.compiler.ir.Value;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Replaces ONNX's operator {@code ai.onnx.preview.training.Gradient}, which requests the derivatives of one value of
 * the graph with respect to others, by those derivatives: no inference engine has it.
 */
public final class GradientOperator {
    private static final String DOMAIN = "ai.onnx.preview.training";

    private GradientOperator() {}

    /** Returns the graph without such operators. */
    public static Dag expand(Dag dag) {
        var replaced = new HashMap<Value, Value>();
        for (Op op : dag.ops()) {
            if (op.domain().equals(DOMAIN) && op.type().equals("Gradient")) {
                replaced.putAll(gradients(dag, op));
            }
        }
        return replaced.isEmpty() ? dag : Rewriter.substitute(dag, replaced);
    }

    private static Map<Value, Value> gradients(Dag dag, Op op) {
        Value y = named(dag, op, op.attributes().text("y", ""));
        List<Value> xs =
                names(op, "xs").stream().map(name -> named(dag, op, name)).toList();
        List<Value> fixed =
                names(op, "zs").stream().map(name -> named(dag, op, name)).toList();
        var sweep = new Sweep(dag.builder(), StandardRules.TABLE);
        Ops code = dag.code();
        Map<Value, Value> found = sweep.adjoints(dag.builder().root(), Map.of(y, code.full(y, 1)), xs);
        if (!sweep.problems().isEmpty()) {
            throw new NotDifferentiableException(sweep.problems());
        }
        // The operator's operands say where; they need not be the values that its attributes name.
        var where = new HashMap<Value, Value>();
        List<Value> all = new ArrayList<>(xs);
        all.addAll(fixed);
        for (int i = 0; i < Math.min(all.size(), op.inputs().size()); i++) {
            if (op.inputs().get(i) != all.get(i)) {
                where.put(all.get(i), op.inputs().get(i));
            }
        }
        List<Value> gradients = xs.stream()
                .map(x -> found.containsKey(x) ? found.get(x) : code.zeros(x))
                .toList();
        gradients = Rewriter.substitute(dag.builder(), gradients, where);
        var replaced = new HashMap<Value, Value>();
        for (int i = 0; i < Math.min(gradients.size(), op.outputs().size()); i++) {
            replaced.put(op.outputs().get(i), gradients.get(i));
        }
        return replaced;
    }

    private static List<String> names(Op op, String attribute) {
        var given = op.attributes().values().get(attribute);
        return given == null
                ? List.of()
                : given.getStringsList().stream().map(ByteString::toStringUtf8).toList();
    }

    private static Value named(Dag dag, Op op, String name) {
        return dag.find(name)
                .orElseThrow(() -> new NotDifferentiableException(List.of(new Fault(
                        op.toString(), "names '%s', which no output of the graph depends on".formatted(name)))));
    }
}
