package io.knabla.runtime.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.knabla.functions.unit.DataType;
import io.knabla.functions.unit.TensorSpec;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the bound on the size of trial inputs. */
class TrialInputsTest {
    private static TensorSpec spec(Long... shape) {
        return new TensorSpec("x", DataType.FP64, List.of(shape), Collections.nCopies(shape.length, ""));
    }

    @Test
    void namesTheInputThatIsTooLarge() {
        assertThatThrownBy(() -> TrialInputs.zeros(List.of(spec(1L << 32, 1L << 32)), 1))
                .hasMessage(
                        "input 'x' of shape [4294967296, 4294967296] is too large to try; at most 268,435,455 elements are");
        assertThatThrownBy(() -> TrialInputs.zeros(List.of(spec(1L << 28)), 1))
                .hasMessageContaining("too large to try");
    }

    @Test
    void anEmptyInputIsSmallWhateverItsOtherSizes() {
        assertThat(TrialInputs.zeros(List.of(spec(Long.MAX_VALUE, Long.MAX_VALUE, 0L)), 1)
                        .getFirst()
                        .shape())
                .containsExactly(Long.MAX_VALUE, Long.MAX_VALUE, 0);
    }
}
