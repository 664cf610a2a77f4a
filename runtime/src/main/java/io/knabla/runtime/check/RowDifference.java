package io.knabla.runtime.check;

import io.knabla.functions.unit.DataType;
import io.knabla.runtime.engine.Elements;
import io.knabla.runtime.engine.Tensor;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * The element by which a row's answer alone differs most from its answer beside other rows.
 *
 * @param alone its value when the row is run alone
 * @param together its value beside other rows
 */
record RowDifference(String output, String alone, String together) {
    /** Runs of equally many rows differ by the other rows alone: an engine rounds them alike. */
    private static final double SAME_COUNT = 1e-4;

    /** Runs of one and of several rows also differ in the order of their sums, which low precision amplifies. */
    private static final double OTHER_COUNT = 0.05;

    /** Of the largest value of all rows: what is below it may be a remainder of rounding. */
    private static final double REMAINDER = 1e-6;

    /**
     * The answers to one row.
     *
     * @param alone run alone
     * @param copies run beside copies of itself
     * @param together run beside other rows
     * @param largest magnitude in the answers to all rows
     */
    record Answers(Tensor alone, Tensor copies, Tensor together, double largest) {}

    /** Empty if the answers differ by rounding at most. */
    static Optional<RowDifference> of(Answers answers) {
        return answers.alone().type() == DataType.BYTES ? ofTexts(answers) : ofNumbers(answers);
    }

    private static Optional<RowDifference> ofTexts(Answers answers) {
        byte[][] alone = answers.alone().texts();
        byte[][] together = answers.together().texts();
        int at = Arrays.mismatch(alone, together, Arrays::compare);
        return at < 0
                ? Optional.empty()
                : Optional.of(new RowDifference(answers.alone().name(), text(alone, at), text(together, at)));
    }

    private static String text(byte[][] texts, int at) {
        return at < texts.length ? "'" + new String(texts[at], StandardCharsets.UTF_8) + "'" : "absent";
    }

    private static Optional<RowDifference> ofNumbers(Answers answers) {
        double[] alone = numbers(answers.alone());
        double[] copies = numbers(answers.copies());
        double[] together = numbers(answers.together());
        if (alone.length != together.length || copies.length != together.length) {
            return Optional.of(
                    new RowDifference(answers.alone().name(), elements(alone.length), elements(together.length)));
        }
        double floor = REMAINDER * answers.largest();
        double beside = SAME_COUNT * Math.max(floor, magnitude(copies));
        double counted = OTHER_COUNT * Math.max(floor, magnitude(alone));
        int worst = IntStream.range(0, alone.length)
                .filter(i -> apart(copies[i], together[i]) > beside || apart(alone[i], together[i]) > counted)
                .boxed()
                .max((a, b) -> Double.compare(apart(alone[a], together[a]), apart(alone[b], together[b])))
                .orElse(-1);
        return worst < 0
                ? Optional.empty()
                : Optional.of(new RowDifference(answers.alone().name(), shown(alone[worst]), shown(together[worst])));
    }

    private static String elements(int count) {
        return "of %,d elements".formatted(count);
    }

    private static String shown(double value) {
        return String.format(Locale.ROOT, "%.4g", value);
    }

    /** All elements as doubles. */
    static double[] numbers(Tensor tensor) {
        double[] numbers = new double[tensor.elements()];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = Elements.real(tensor.type(), tensor.data(), i);
        }
        return numbers;
    }

    /** The largest magnitude of the finite numbers; 0 if there is none. */
    static double magnitude(double[] numbers) {
        return DoubleStream.of(numbers)
                .filter(Double::isFinite)
                .map(Math::abs)
                .max()
                .orElse(0);
    }

    private static double apart(double one, double other) {
        if (Double.compare(one, other) == 0 || one == other) {
            return 0;
        }
        double apart = Math.abs(one - other);
        return Double.isNaN(apart) ? Double.POSITIVE_INFINITY : apart;
    }
}
