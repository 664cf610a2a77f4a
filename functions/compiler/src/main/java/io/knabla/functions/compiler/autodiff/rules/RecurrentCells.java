package io.knabla.functions.compiler.autodiff.rules;

import io.knabla.functions.compiler.autodiff.reverse.RuleContext;
import io.knabla.functions.compiler.autodiff.rules.ScanBuilder.ScanAxis;
import io.knabla.functions.compiler.autodiff.rules.ScanBuilder.SlicedTensor;
import io.knabla.functions.compiler.ir.Value;
import java.util.List;

/**
 * Derivative rules of the recurrent cells of LSTM, GRU and RNN. Gates are recomputed for all time steps at once from
 * the layer's output; the Scan computes only the part of the chain rule that goes from step to step.
 */
final class RecurrentCells {
    private RecurrentCells() {}

    /**
     * Adjoints of one direction.
     *
     * @param fromInput of the projections of the input, over time
     * @param fromState of the projections of the state, over time; the same value if the cell only adds both
     * @param r of the recurrence weights
     * @param initial of the initial states
     */
    record Adjoints(Value fromInput, Value fromState, Value r, List<Value> initial) {}

    /** Gates: input, output, forget, cell. */
    static Adjoints lstm(RecurrentLayer layer) {
        RuleContext at = layer.at;
        Value r = layer.weights(2);
        Value before = layer.before();
        Value sums = sums(layer, before, r);
        Value three = at.op("Sigmoid", layer.gates(sums, 0, 3));
        Value input = layer.gates(three, 0, 1);
        Value output = layer.gates(three, 1, 2);
        Value forget = layer.gates(three, 2, 3);
        Value candidate = at.op("Tanh", layer.gates(sums, 3, 4));
        List<Value> cells = cells(layer, forget, at.mul(input, candidate));
        Value level = at.op("Tanh", cells.get(2));

        Value through = at.mul(output, layer.tanhSlope(level));
        Value slopes = at.concat(
                2,
                at.mul(candidate, layer.slope(input)),
                at.mul(level, layer.slope(output)),
                at.mul(cells.get(1), layer.slope(forget)),
                at.mul(input, layer.tanhSlope(candidate)));
        List<Value> made = layer.runBackward(2, List.of(through, slopes, forget), 1, (dh, carried, given) -> {
            Value dc = at.add(at.mul(dh, given.get(0)), carried.get(1));
            Value gates = at.mul(at.concat(1, dc, dh, dc, dc), given.get(1));
            return List.of(at.matmul(gates, r), at.mul(dc, given.get(2)), gates);
        });
        Value gates = made.get(2);
        return new Adjoints(gates, gates, layer.products(gates, before), made.subList(0, 2));
    }

    /** The last cell state, then the cell states before and after every step. */
    private static List<Value> cells(RecurrentLayer layer, Value forget, Value added) {
        RuleContext at = layer.at;
        return ScanBuilder.build(
                at.builder(),
                List.of(layer.initial(6)),
                List.of(new SlicedTensor(forget, ScanAxis.FORWARDS), new SlicedTensor(added, ScanAxis.FORWARDS)),
                List.of(ScanAxis.FORWARDS, ScanAxis.FORWARDS),
                (carried, given) -> {
                    Value c = carried.getFirst();
                    Value next = at.add(at.mul(given.get(0), c), given.get(1));
                    return List.of(next, c, next);
                });
    }

    /** Inputs of the activations of all gates. */
    private static Value sums(RecurrentLayer layer, Value before, Value r) {
        Value fromInput = layer.plus(layer.times(layer.x(), layer.weights(1), true), layer.bias(0));
        Value fromState = layer.plus(layer.times(before, r, true), layer.bias(1));
        return layer.at.add(fromInput, fromState);
    }

    /** Gates: update, reset, hidden, with the reset applied after the product with the state, as in PyTorch. */
    static Adjoints gruResetAfter(RecurrentLayer layer) {
        RuleContext at = layer.at;
        Value r = layer.weights(2);
        Value before = layer.before();
        Value fromInput = layer.plus(layer.times(layer.x(), layer.weights(1), true), layer.bias(0));
        Value fromState = layer.plus(layer.times(before, r, true), layer.bias(1));
        Value two = at.op("Sigmoid", at.add(layer.gates(fromInput, 0, 2), layer.gates(fromState, 0, 2)));
        Value update = layer.gates(two, 0, 1);
        Value reset = layer.gates(two, 1, 2);
        Value product = layer.gates(fromState, 2, 3);
        Value hidden = at.op("Tanh", at.add(layer.gates(fromInput, 2, 3), at.mul(reset, product)));

        Value inner = at.mul(layer.oneMinus(update), layer.tanhSlope(hidden));
        Value slopes = at.concat(
                2,
                at.mul(at.sub(before, hidden), layer.slope(update)),
                at.mul(inner, at.mul(product, layer.slope(reset))),
                at.mul(inner, reset));
        List<Value> made = layer.runBackward(1, List.of(slopes, update), 2, (dh, _, given) -> {
            Value gates = at.mul(at.concat(1, dh, dh, dh), given.get(0));
            Value kept = at.mul(dh, given.get(1));
            return List.of(at.add(kept, at.matmul(gates, r)), gates, dh);
        });
        Value gates = made.get(1);
        Value ofInput = at.concat(2, layer.gates(gates, 0, 2), at.mul(made.get(2), inner));
        return new Adjoints(ofInput, gates, layer.products(gates, before), made.subList(0, 1));
    }

    /** Gates: update, reset, hidden, with the reset applied to the state itself. */
    static Adjoints gruResetBefore(RecurrentLayer layer) {
        RuleContext at = layer.at;
        Value r = layer.weights(2);
        long size = layer.hidden();
        Value gating = at.slice(r, 0, 0, 2 * size);
        Value proposing = at.slice(r, 0, 2 * size, 3 * size);
        Value before = layer.before();
        Value all =
                layer.plus(layer.plus(layer.times(layer.x(), layer.weights(1), true), layer.bias(0)), layer.bias(1));
        Value two = at.op("Sigmoid", at.add(layer.gates(all, 0, 2), layer.times(before, gating, true)));
        Value update = layer.gates(two, 0, 1);
        Value reset = layer.gates(two, 1, 2);
        Value state = at.mul(reset, before);
        Value hidden = at.op("Tanh", at.add(layer.gates(all, 2, 3), layer.times(state, proposing, true)));

        Value inner = at.mul(layer.oneMinus(update), layer.tanhSlope(hidden));
        Value slopes =
                at.concat(2, at.mul(at.sub(before, hidden), layer.slope(update)), at.mul(before, layer.slope(reset)));
        List<Value> made = layer.runBackward(1, List.of(inner, slopes, update, reset), 1, (dh, _, given) -> {
            Value proposal = at.mul(dh, given.get(0));
            Value ds = at.matmul(proposal, proposing);
            Value gates = at.mul(at.concat(1, dh, ds), given.get(1));
            Value kept = at.mul(dh, given.get(2));
            Value reached = at.add(at.mul(ds, given.get(3)), at.matmul(gates, gating));
            return List.of(at.add(kept, reached), at.concat(1, gates, proposal));
        });
        Value gates = made.get(1);
        Value dr = at.concat(
                0, layer.products(layer.gates(gates, 0, 2), before), layer.products(layer.gates(gates, 2, 3), state));
        return new Adjoints(gates, gates, dr, made.subList(0, 1));
    }

    /** @param slope derivative of the activation, over time */
    static Adjoints simple(RecurrentLayer layer, Value slope) {
        RuleContext at = layer.at;
        Value r = layer.weights(2);
        List<Value> made = layer.runBackward(1, List.of(slope), 1, (dh, _, given) -> {
            Value inner = at.mul(dh, given.getFirst());
            return List.of(at.matmul(inner, r), inner);
        });
        Value inner = made.get(1);
        return new Adjoints(inner, inner, layer.products(inner, layer.before()), made.subList(0, 1));
    }
}
