package io.knabla.functions.compiler.autodiff.rules;

import io.knabla.functions.compiler.interpreter.NdArray;
import io.knabla.functions.compiler.ir.Attributes;
import io.knabla.functions.compiler.onnx.ElementType;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checks recurrent layers with four steps, a batch of two, three inputs and two hidden units. */
class RecurrentTest {
    private static Attributes direction(String direction) {
        return Attributes.of("hidden_size", 2).with("direction", direction);
    }

    private static RuleHarness layer(int gates, int directions) {
        return new RuleHarness()
                .normal(4, 2, 3)
                .normal(directions, gates * 2, 3)
                .normal(directions, gates * 2, 2)
                .symbolic(0, 0, 1);
    }

    private static NdArray lengths() {
        return NdArray.whole(ElementType.INT32, new int[] {2}, 4, 2);
    }

    @ParameterizedTest
    @CsvSource({"forward,1", "reverse,1", "bidirectional,2"})
    void lstm(String direction, int directions) {
        layer(4, directions)
                .normal(directions, 16)
                .absent()
                .normal(directions, 2, 2)
                .normal(directions, 2, 2)
                .check("LSTM", direction(direction), 3);
    }

    @ParameterizedTest
    @CsvSource({"LSTM,4,3", "GRU,3,2", "RNN,1,2"})
    void withoutBiasAndStates(String operator, int gates, int outputs) {
        layer(gates, 1).check(operator, direction("forward"), outputs);
        layer(gates, 1).check(operator, direction("forward"), 1);
    }

    @ParameterizedTest
    @CsvSource({"forward,1,0", "reverse,1,1", "bidirectional,2,0", "bidirectional,2,1"})
    void gru(String direction, int directions, long after) {
        layer(3, directions)
                .normal(directions, 12)
                .absent()
                .normal(directions, 2, 2)
                .check("GRU", direction(direction).with("linear_before_reset", after), 2);
    }

    @ParameterizedTest
    @CsvSource({"forward,1", "reverse,1", "bidirectional,2"})
    void rnn(String direction, int directions) {
        layer(1, directions)
                .normal(directions, 4)
                .absent()
                .normal(directions, 2, 2)
                .check("RNN", direction(direction), 2);
    }

    @ParameterizedTest
    @CsvSource({"LSTM,4,3", "GRU,3,2", "RNN,1,2"})
    void sequencesOfDifferentLengths(String operator, int gates, int outputs) {
        layer(gates, 2).normal(2, gates * 4).fixed(lengths()).check(operator, direction("bidirectional"), outputs);
    }
}
