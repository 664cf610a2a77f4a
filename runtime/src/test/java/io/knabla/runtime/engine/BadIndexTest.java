package io.knabla.runtime.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Parses recorded messages of ONNX Runtime 1.29. */
class BadIndexTest {
    private static final String NODE =
            "Error code - ORT_FAIL - message: Non-zero status code returned while running %s node. Name:'n' Status Message: ";

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    Gather          | indices element out of data bounds, idx=5 must be within the inclusive range [-5,4] | 5
                    ScatterElements | indices element out of data bounds, idx=-11 must be within the inclusive range [-10,9] | -11
                    GatherND        | invalid index found, index = 5   | 5
                    ScatterND       | invalid indice found, indice = 7 | 7
                    """)
    void findsBadIndex(String operator, String said, long index) {
        assertThat(BadIndex.parse(NODE.formatted(operator) + said + "\n")).hasValueSatisfying(bad -> {
            assertThat(bad.operator()).isEqualTo(operator);
            assertThat(bad.index()).isEqualTo(index);
        });
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    MatMul  | matmul_helper.h:59 Compute MatMul dimension mismatch
                    Div     | element_wise_ops.cc:692 Compute Integer division by zero
                    Expand  | invalid expand shape
                    Gather  | Failed to allocate memory for requested buffer of size 99
                    """)
    void ignoresOtherMessages(String operator, String said) {
        assertThat(BadIndex.parse(NODE.formatted(operator) + said)).isEmpty();
    }
}
