package io.knabla.functions.compiler.autodiff.rules;

import io.knabla.functions.compiler.autodiff.reverse.RuleContext;
import io.knabla.functions.compiler.autodiff.rules.ScanBuilder.ScanAxis;
import io.knabla.functions.compiler.autodiff.rules.ScanBuilder.SlicedTensor;
import io.knabla.functions.compiler.ir.Attributes;
import io.knabla.functions.compiler.ir.Op;
import io.knabla.functions.compiler.ir.Value;
import io.knabla.functions.compiler.onnx.ElementType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * One direction of an LSTM, GRU or RNN as a forward recurrence: tensors over time, {@code [time, batch, …]}, are
 * reversed if it runs backwards.
 */
final class RecurrentLayer {
    private static final long TO_THE_FRONT = Long.MIN_VALUE + 1;

    final RuleContext at;
    private final Op op;
    private final List<Value> dy;
    private final int direction;
    private final int directions;
    private final boolean backwards;

    RecurrentLayer(RuleContext at, Op op, List<Value> dy, int direction, int directions) {
        this.at = at;
        this.op = op;
        this.dy = dy;
        this.direction = direction;
        this.directions = directions;
        String stated = op.attributes().text("direction", "forward");
        this.backwards = stated.equals("reverse") || direction == 1;
    }

    /** Backward step of a cell, from one time step to the step before. */
    @FunctionalInterface
    interface Step {
        /**
         * @param dh adjoint of the state, complete
         * @param carried adjoints from later steps: of the hidden state, then of other states
         * @param given slices of the tensors that the cell reads
         * @return carried adjoints for the step before, then the tensors to collect
         */
        List<Value> stepBackward(Value dh, List<Value> carried, List<Value> given);
    }

    /** {@code [time, batch, input]}. */
    Value x() {
        return reversedIfBackward(op.input(0));
    }

    /** {@code [gates · hidden, input or hidden]}. */
    Value weights(int input) {
        return ofDirection(op.input(input), 0);
    }

    /** Biases of the projections of the input or of the state, {@code [gates · hidden]}; null if there are none. */
    Value bias(int side) {
        if (!op.has(3)) {
            return null;
        }
        long size = gateSize();
        return at.slice(ofDirection(op.input(3), 0), 0, side * size, (side + 1) * size);
    }

    private long gateSize() {
        return op.input(2).dim(1).or(0);
    }

    long hidden() {
        return op.input(2).dim(2).or(0);
    }

    /** The state before every step. */
    Value before() {
        return shifted(reversedIfBackward(ofDirection(op.output(0), 1)), initial(5));
    }

    /** The state after every step. */
    Value after() {
        return reversedIfBackward(ofDirection(op.output(0), 1));
    }

    /** Prepends {@code first} and drops the last step. */
    Value shifted(Value overTime, Value first) {
        return at.concat(0, at.unsqueeze(first, 0), at.slice(overTime, 0, 0, -1));
    }

    /** An initial state, {@code [batch, hidden]}. */
    Value initial(int input) {
        if (op.has(input)) {
            return ofDirection(op.input(input), 0);
        }
        Value batch = at.sizeOf(op.input(0), 1);
        Value shape = ScatterHelpers.foldConstants(at, at.concat(0, batch, at.ints(hidden())));
        return at.fill(shape, op.input(0).element(), 0);
    }

    /**
     * Runs the steps from the last to the first.
     *
     * @param states how many states there are
     * @param given tensors over time that the steps read
     * @param collected how many tensors the steps write
     * @return adjoints of the initial states, then the collected tensors
     */
    List<Value> runBackward(int states, List<Value> given, int collected, Step step) {
        var initial = new ArrayList<Value>();
        for (int state = 0; state < states; state++) {
            Value last = dy.get(1 + state);
            initial.add(last == null ? at.zeros(initial(5 + state)) : ofDirection(last, 0));
        }
        boolean every = dy.getFirst() != null;
        var read = new ArrayList<Value>(given);
        if (every) {
            read.addFirst(reversedIfBackward(ofDirection(dy.getFirst(), 1)));
        }
        if (op.has(4)) {
            read.add(running());
        }
        List<ScanAxis> written = Collections.nCopies(collected, ScanAxis.BACKWARDS);
        return ScanBuilder.build(
                at.builder(),
                initial,
                read.stream().map(v -> new SlicedTensor(v, ScanAxis.BACKWARDS)).toList(),
                written,
                (carried, slices) -> {
                    Value dh = carried.getFirst();
                    Value whole = every ? at.add(slices.getFirst(), dh) : dh;
                    int first = every ? 1 : 0;
                    List<Value> own = slices.subList(first, first + given.size());
                    List<Value> made = step.stepBackward(whole, carried, own);
                    return op.has(4) ? maskEnded(made, carried, slices.getLast()) : made;
                });
    }

    /** Whether each sequence of the batch is still running, {@code [time, batch, 1]}. */
    private Value running() {
        Value time = at.unsqueeze(at.indices(at.sizeOf(op.input(0), 0)), 1);
        Value lengths = at.unsqueeze(at.cast(op.input(4), ElementType.INT64), 0);
        return at.unsqueeze(at.less(time, lengths), 2);
    }

    /** After the end of a sequence, keeps the states and collects zeros. */
    private List<Value> maskEnded(List<Value> made, List<Value> carried, Value running) {
        var held = new ArrayList<Value>();
        for (int i = 0; i < made.size(); i++) {
            Value otherwise = i < carried.size() ? carried.get(i) : at.scalar(made.get(i), 0);
            held.add(at.where(running, made.get(i), otherwise));
        }
        return held;
    }

    /** Undoes {@link #x()}. */
    Value reversedIfBackward(Value overTime) {
        if (!backwards) {
            return overTime;
        }
        if (op.has(4)) {
            Attributes axes = Attributes.of("time_axis", 0).with("batch_axis", 1);
            Value lengths = at.cast(op.input(4), ElementType.INT64);
            return at.op("ReverseSequence", axes, overTime, lengths);
        }
        return at.op("Slice", overTime, at.ints(-1), at.ints(TO_THE_FRONT), at.ints(0), at.ints(-1));
    }

    /** Selects the slice of this direction. */
    private Value ofDirection(Value all, int axis) {
        return directions == 1 ? at.squeeze(all, axis) : at.gather(all, at.integer(direction), axis);
    }

    /** Multiplies {@code overTime} by a matrix or its transpose. */
    Value times(Value overTime, Value matrix, boolean transposed) {
        return at.matmul(overTime, transposed ? at.transpose(matrix, 1, 0) : matrix);
    }

    Value plus(Value overTime, Value bias) {
        return bias == null ? overTime : at.add(overTime, bias);
    }

    /** Sum over time and batch of the outer products, {@code [columns of a, columns of b]}. */
    Value products(Value a, Value b) {
        return at.op("Gemm", Attributes.of("transA", 1), rows(a), rows(b));
    }

    private Value rows(Value overTime) {
        long columns = overTime.dim(2).or(-1);
        return columns > 0
                ? at.reshape(overTime, -1, columns)
                : at.reshape(
                        overTime,
                        at.concat(0, at.mul(at.sizeOf(overTime, 0), at.sizeOf(overTime, 1)), at.sizeOf(overTime, 2)));
    }

    Value sums(Value overTime) {
        return at.reduceSum(overTime, List.of(0L, 1L), false);
    }

    /** Slices some gates out of a tensor whose last axis holds all. */
    Value gates(Value all, int from, int to) {
        return at.slice(all, -1, from * hidden(), to * hidden());
    }

    Value oneMinus(Value a) {
        return at.sub(at.scalar(a, 1), a);
    }

    /** Derivative of the logistic function, computed from its value. */
    Value slope(Value sigmoid) {
        return at.mul(sigmoid, oneMinus(sigmoid));
    }

    /** Derivative of the hyperbolic tangent, computed from its value. */
    Value tanhSlope(Value tanh) {
        return oneMinus(at.square(tanh));
    }
}
