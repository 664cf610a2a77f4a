package io.knabla.functions.compiler.optimize.merge;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.functions.compiler.onnx.ElementType;
import io.knabla.functions.compiler.optimize.merge.MergeDecision.Facts;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checks when merging products is expected to be faster. */
class MergeDecisionTest {
    private static final List<String> NAMES = List.of("q", "k", "v");

    @ParameterizedTest
    @CsvSource({
        // As measured: 14 % faster with 256 columns, 4 % slower with 64.
        "FLOAT, 1, 256, '256,256,256', true, 'sharing 2 fewer among threads'",
        "FLOAT, 8, 256, '256,256,256', true, '3 products of 8 rows'",
        "FLOAT, 1, 64, '64,64,64', false, 'sharing 0 fewer among threads'",
        "FLOAT, 8, 64, '64,64,64', false, '1.0 µs lost to the Split'",
        "FLOAT, 32, 256, '256,256,256', false, '3 products of 32 rows'",
        "FLOAT, 512, 256, '256,256,256', false, '3 products of 512 rows'",
        // Half as many bytes for the Split to move.
        "FLOAT16, 32, 256, '256,256,256', true, '3 products of 32 rows'",
        // Narrow keys and values, as in grouped-query attention, run on one thread.
        "FLOAT, 1, 256, '256,32,32', false, 'sharing 0 fewer among threads'",
        // So many rows that their product with anything would overflow.
        "FLOAT, 4611686018427387904, 256, '256,256,256', false, 'lost to the Split'",
        "FLOAT, 1, 256, '256,256', false, 'no better than two'",
        "FLOAT, , 256, '256,256,256', false, 'the number of rows is not fixed'",
    })
    void mergesIfFaster(ElementType element, Long rows, long inner, String widths, boolean merge, String reason) {
        OptionalLong known = rows == null ? OptionalLong.empty() : OptionalLong.of(rows);
        List<Long> columns =
                List.of(widths.split(",")).stream().map(Long::valueOf).toList();

        MergeDecision decision = MergeDecision.of(new Facts(NAMES, element, known, inner, columns, List.of()));

        assertThat(decision.products()).isEqualTo(NAMES);
        assertThat(decision.merge()).isEqualTo(merge);
        assertThat(decision.reason()).contains(reason);
    }
}
