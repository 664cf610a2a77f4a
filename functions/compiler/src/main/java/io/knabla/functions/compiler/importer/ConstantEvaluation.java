package io.knabla.functions.compiler.importer;

import io.knabla.functions.compiler.interpreter.EvaluationException;
import io.knabla.functions.compiler.interpreter.Evaluator;
import io.knabla.functions.compiler.interpreter.NdArray;
import io.knabla.functions.compiler.ir.Op;
import io.knabla.functions.compiler.ir.Value;
import io.knabla.functions.compiler.onnx.Dim;
import io.knabla.functions.compiler.onnx.ElementType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Evaluates small values that depend only on constants, as operator parameters do in most files. */
final class ConstantEvaluation {
    /** Operator parameters have few elements; weights are not read. */
    private static final int MAX = 1024;

    private static final int MAX_STEPS = 12;

    private ConstantEvaluation() {}

    static Optional<List<Double>> reals(Value value) {
        return array(value, MAX_STEPS).map(ConstantEvaluation::list);
    }

    private static List<Double> list(NdArray array) {
        var numbers = new ArrayList<Double>();
        for (int i = 0; i < array.size(); i++) {
            numbers.add(array.real(i));
        }
        return numbers;
    }

    private static Optional<NdArray> array(Value value, int steps) {
        boolean small = value.shape()
                .filter(s -> s.elements().known() && s.elements().or(0) <= MAX)
                .isPresent();
        if (!small) {
            return Optional.empty();
        }
        if (value.knownIntegers().isPresent() && value.element() != ElementType.UNDEFINED) {
            int[] dims = value.knownShape().dims().stream()
                    .mapToInt(d -> (int) d.or(0))
                    .toArray();
            long[] numbers =
                    value.knownIntegers().get().stream().mapToLong(n -> n).toArray();
            return Optional.of(NdArray.whole(value.element(), dims, numbers));
        }
        try {
            return value.constant().isPresent()
                    ? Optional.of(NdArray.of(value.constant().get()))
                    : value.producer().flatMap(op -> evaluated(op, value.index(), steps));
        } catch (EvaluationException | ArithmeticException | IndexOutOfBoundsException _) {
            return Optional.empty();
        }
    }

    private static Optional<NdArray> evaluated(Op op, int output, int steps) {
        if (steps == 0 || !op.domain().isEmpty() || !Evaluator.supports(op.type())) {
            return Optional.empty();
        }
        var inputs = new ArrayList<NdArray>();
        for (Value input : op.inputs()) {
            Optional<NdArray> known = input == null ? null : array(input, steps - 1);
            if (known != null && known.isEmpty()) {
                return Optional.empty();
            }
            inputs.add(known == null ? null : known.get());
        }
        return Evaluator.evaluate(op.type(), op.attributes().values(), inputs)
                .filter(made -> made.size() > output)
                .map(made -> made.get(output));
    }

    /** The value of a condition; empty if it is known only at run time. */
    static Optional<Boolean> condition(Value value) {
        return reals(value).filter(v -> v.size() == 1).map(v -> v.getFirst() != 0);
    }

    /** The integer in a value of one element. */
    static Optional<Long> integer(Value value) {
        Optional<Long> followed = value.integers()
                .filter(v -> v.size() == 1)
                .map(List::getFirst)
                .filter(Dim::known)
                .map(d -> d.or(0));
        return followed.isPresent()
                ? followed
                : reals(value).filter(v -> v.size() == 1).map(v -> v.getFirst().longValue());
    }
}
