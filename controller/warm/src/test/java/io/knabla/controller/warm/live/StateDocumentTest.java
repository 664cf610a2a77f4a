package io.knabla.controller.warm.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.knabla.controller.warm.policy.SavedState;
import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StateDocumentTest {
    private static final Map<String, LivePolicyState> STATES = Map.of(
            "default/a",
            new LivePolicyState(
                    new long[] {1_700_000_000_000L, -1}, new SavedState(1, "Adaptive", new double[] {1, 0.5})),
            "other/b",
            new LivePolicyState(new long[] {}, new SavedState(1, "Never", new double[] {})));

    @Test
    void readsWhatItWrote() throws IOException {
        assertThat(StateDocument.read(StateDocument.write(STATES)))
                .usingRecursiveComparison()
                .isEqualTo(STATES);
    }

    @Test
    void refusesAnyPartOfADocument() {
        byte[] whole = StateDocument.write(STATES);
        for (int length = 0; length < whole.length; length++) {
            byte[] part = Arrays.copyOf(whole, length);
            assertThatThrownBy(() -> StateDocument.read(part)).isInstanceOf(IOException.class);
        }
    }

    @Test
    void noDamagedByteGivesOtherValues() {
        byte[] whole = StateDocument.write(STATES);
        int refused = 0;
        for (int at = 0; at < whole.length; at++) {
            byte[] damaged = whole.clone();
            damaged[at] ^= 0x10;
            try {
                // Some bits of GZIP are free.
                assertThat(StateDocument.read(damaged))
                        .usingRecursiveComparison()
                        .isEqualTo(STATES);
            } catch (IOException expected) {
                refused++;
            }
        }
        assertThat(refused).isGreaterThan(whole.length * 9 / 10);
    }

    @Test
    void refusesValuesThatNoPolicyWrites() {
        byte[] document = StateDocument.write(Map.of(
                "a", new LivePolicyState(new long[] {}, new SavedState(1, "Adaptive", new double[] {Double.NaN}))));

        assertThatThrownBy(() -> StateDocument.read(document)).hasMessage("a value is not finite");
    }
}
