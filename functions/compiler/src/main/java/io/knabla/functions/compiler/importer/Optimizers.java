package io.knabla.functions.compiler.importer;

import io.knabla.functions.compiler.ir.Attributes;
import io.knabla.functions.compiler.ir.Lowering;
import io.knabla.functions.compiler.ir.Lowering.Call;
import io.knabla.functions.compiler.ir.Ops;
import io.knabla.functions.compiler.ir.UnsupportedOperatorException;
import io.knabla.functions.compiler.ir.Value;
import io.knabla.functions.compiler.onnx.ElementType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Lowers the optimizers of {@code ai.onnx.preview.training}, which inference engines lack, to ONNX's own operators.
 * Inputs: learning rate, number of updates, then all weights, all gradients, and the state tensors kind by kind;
 * outputs: the next weights and states in the same order.
 */
final class Optimizers {
    private static final String DOMAIN = "ai.onnx.preview.training.";
    private static final double EPSILON = 1e-6;

    private Optimizers() {}

    static void register(Map<String, Lowering> table) {
        put(table, "Adagrad", 1, Optimizers::adagrad);
        put(table, "Momentum", 1, Optimizers::momentum);
        put(table, "Adam", 2, Optimizers::adam);
    }

    /** Computes the next values of one weight: the weight first, then its states. */
    private interface Step {
        List<Value> next(WeightUpdate one);
    }

    /** One weight with its gradient and optimizer states. */
    private record WeightUpdate(
            Ops code,
            Attributes attributes,
            Value rate,
            Value count,
            Value weight,
            Value gradient,
            List<Value> states) {

        double real(String name, double otherwise) {
            return attributes.real(name, otherwise);
        }

        /** Gradient of the loss plus the penalty on the weights. */
        Value regularised() {
            double norm = real("norm_coefficient", 0);
            return norm == 0 ? gradient : code.add(gradient, code.mul(weight, norm));
        }

        /** Whether this is not the first update. */
        Value later() {
            return code.greater(count, code.scalar(count, 0));
        }

        Value countAsReal() {
            return code.cast(count, weight.element());
        }
    }

    private static void put(Map<String, Lowering> table, String op, int states, Step step) {
        table.put(DOMAIN + op, (code, call) -> Optional.of(all(code, call, states, step)));
    }

    private static List<Value> all(Ops code, Call call, int states, Step step) {
        int tensors = call.spec().inputs().size() - 2;
        if (tensors <= 0 || tensors % (2 + states) != 0) {
            throw new UnsupportedOperatorException("has %d tensors, not %d a weight".formatted(tensors, 2 + states));
        }
        int weights = tensors / (2 + states);
        List<List<Value>> next = new ArrayList<>();
        for (int i = 0; i < weights; i++) {
            List<Value> state = new ArrayList<>();
            for (int kind = 0; kind < states; kind++) {
                state.add(LoweringHelpers.requiredInput(call, 2 + (2 + kind) * weights + i));
            }
            Value weight = LoweringHelpers.requiredInput(call, 2 + i);
            Value rate = code.cast(LoweringHelpers.requiredInput(call, 0), weight.element());
            Value gradient = LoweringHelpers.requiredInput(call, 2 + weights + i);
            Value count = LoweringHelpers.requiredInput(call, 1);
            next.add(step.next(new WeightUpdate(code, call.attributes(), rate, count, weight, gradient, state)));
        }
        var outputs = new ArrayList<Value>();
        for (int kind = 0; kind <= states; kind++) {
            for (List<Value> one : next) {
                outputs.add(one.get(kind));
            }
        }
        return outputs;
    }

    private static List<Value> adagrad(WeightUpdate one) {
        Ops code = one.code();
        Value decay = code.mul(one.countAsReal(), one.real("decay_factor", 0));
        Value rate = code.div(one.rate(), code.add(decay, 1));
        Value gradient = one.regularised();
        Value squares = code.add(one.states().getFirst(), code.square(gradient));
        Value scale = code.add(code.sqrt(squares), one.real("epsilon", EPSILON));
        Value change = code.div(code.mul(rate, gradient), scale);
        return List.of(code.sub(one.weight(), change), squares);
    }

    private static List<Value> momentum(WeightUpdate one) {
        Ops code = one.code();
        Value gradient = one.regularised();
        double alpha = one.real("alpha", 0);
        Value first = code.scalar(gradient, 1);
        Value beta = code.where(one.later(), code.scalar(gradient, one.real("beta", 1)), first);
        Value velocity = code.add(code.mul(one.states().getFirst(), alpha), code.mul(beta, gradient));
        Value direction = one.attributes().text("mode", "standard").equals("nesterov")
                ? code.add(gradient, code.mul(velocity, alpha))
                : velocity;
        return List.of(code.sub(one.weight(), code.mul(one.rate(), direction)), velocity);
    }

    private static List<Value> adam(WeightUpdate one) {
        Ops code = one.code();
        double alpha = one.real("alpha", 0.9);
        double beta = one.real("beta", 0.999);
        Value gradient = one.regularised();
        Value mean = mixed(code, one.states().get(0), gradient, alpha);
        Value squares = mixed(code, one.states().get(1), code.square(gradient), beta);
        Value scale = code.add(code.sqrt(squares), one.real("epsilon", EPSILON));
        Value corrected = code.div(code.mul(one.rate(), code.sqrt(rest(one, beta))), rest(one, alpha));
        Value rate = code.where(one.later(), corrected, one.rate());
        Value moved = code.sub(one.weight(), code.div(code.mul(rate, mean), scale));
        double kept = 1 - one.real("norm_coefficient_post", 0);
        return List.of(kept == 1 ? moved : code.mul(moved, kept), mean, squares);
    }

    private static Value mixed(Ops code, Value old, Value fresh, double share) {
        return code.add(code.mul(old, share), code.mul(fresh, 1 - share));
    }

    /** 1 − share^count. */
    private static Value rest(WeightUpdate one, double share) {
        Ops code = one.code();
        ElementType element = one.weight().element();
        return code.sub(code.scalar(element, 1), code.pow(code.scalar(element, share), one.countAsReal()));
    }
}
