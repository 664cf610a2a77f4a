package io.knabla.functions.compiler.autodiff.rules;

import io.knabla.functions.compiler.autodiff.reverse.Backward;
import io.knabla.functions.compiler.autodiff.rules.Scans.Place;
import io.knabla.functions.compiler.autodiff.rules.Scans.Stream;
import io.knabla.functions.compiler.ir.Value;
import java.util.List;

/**
 * The three cells. Gates are made again for all times at once from the layer's own output; what is left for the Scan is
 * the part of the chain rule that really goes from step to step.
 */
final class Cells {
    private Cells() {}

    /**
     * Adjoints of one direction.
     *
     * @param fromInput of the sums on the input's side, over time
     * @param fromState of those on the state's side; the same where the cell only adds both
     * @param r of the weights of the state
     * @param initial of the initial states
     */
    record Adjoints(Value fromInput, Value fromState, Value r, List<Value> initial) {}

    /** Gates: input, output, forget, cell. */
    static Adjoints lstm(RecurrentLayer layer) {
        Backward at = layer.at;
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
        List<Value> made = layer.back(2, List.of(through, slopes, forget), 1, (dh, carried, given) -> {
            Value dc = at.add(at.mul(dh, given.get(0)), carried.get(1));
            Value gates = at.mul(at.concat(1, dc, dh, dc, dc), given.get(1));
            return List.of(at.matmul(gates, r), at.mul(dc, given.get(2)), gates);
        });
        Value gates = made.get(2);
        return new Adjoints(gates, gates, layer.products(gates, before), made.subList(0, 2));
    }

    /** The last cell state, then the cell states before and after every step. */
    private static List<Value> cells(RecurrentLayer layer, Value forget, Value added) {
        Backward at = layer.at;
        return Scans.make(
                at.builder(),
                List.of(layer.initial(6)),
                List.of(new Stream(forget, Place.FORWARDS), new Stream(added, Place.FORWARDS)),
                List.of(Place.FORWARDS, Place.FORWARDS),
                (carried, given) -> {
                    Value c = carried.getFirst();
                    Value next = at.add(at.mul(given.get(0), c), given.get(1));
                    return List.of(next, c, next);
                });
    }

    /** What goes into all gates. */
    private static Value sums(RecurrentLayer layer, Value before, Value r) {
        Value fromInput = layer.plus(layer.times(layer.x(), layer.weights(1), true), layer.bias(0));
        Value fromState = layer.plus(layer.times(before, r, true), layer.bias(1));
        return layer.at.add(fromInput, fromState);
    }

    /** Gates: update, reset, hidden, with the reset on the product with the state (as PyTorch has it). */
    static Adjoints gruResetAfter(RecurrentLayer layer) {
        Backward at = layer.at;
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
        List<Value> made = layer.back(1, List.of(slopes, update), 2, (dh, _, given) -> {
            Value gates = at.mul(at.concat(1, dh, dh, dh), given.get(0));
            Value kept = at.mul(dh, given.get(1));
            return List.of(at.add(kept, at.matmul(gates, r)), gates, dh);
        });
        Value gates = made.get(1);
        Value ofInput = at.concat(2, layer.gates(gates, 0, 2), at.mul(made.get(2), inner));
        return new Adjoints(ofInput, gates, layer.products(gates, before), made.subList(0, 1));
    }

    /** Gates: update, reset, hidden, with the reset on the state itself. */
    static Adjoints gruResetBefore(RecurrentLayer layer) {
        Backward at = layer.at;
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
        List<Value> made = layer.back(1, List.of(inner, slopes, update, reset), 1, (dh, _, given) -> {
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

    /** @param slope of the activation, over time */
    static Adjoints simple(RecurrentLayer layer, Value slope) {
        Backward at = layer.at;
        Value r = layer.weights(2);
        List<Value> made = layer.back(1, List.of(slope), 1, (dh, _, given) -> {
            Value inner = at.mul(dh, given.getFirst());
            return List.of(at.matmul(inner, r), inner);
        });
        Value inner = made.get(1);
        return new Adjoints(inner, inner, layer.products(inner, layer.before()), made.subList(0, 1));
    }
}
