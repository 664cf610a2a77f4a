package io.knabla.runtime.generation.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.functions.unit.generation.DecoderShape;
import io.knabla.functions.unit.generation.GenerationLimits;
import io.knabla.functions.unit.generation.GenerationSettings;
import io.knabla.functions.unit.generation.LatencyObjectives;
import io.knabla.functions.unit.generation.SamplingDefaults;
import io.knabla.functions.unit.generation.Speculation;
import io.knabla.runtime.schedule.ScheduleLimits;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LoopSettingsTest {
    private static LoopSettings settings(GenerationLimits limits, LatencyObjectives objectives) {
        return LoopSettings.of(new GenerationSettings(
                limits,
                new DecoderShape(1, 1, 1, TestTokenizer.SIZE),
                List.of(TestTokenizer.END),
                Optional.empty(),
                Map.of(),
                SamplingDefaults.NEUTRAL,
                objectives,
                new Speculation.None()));
    }

    private static Duration step(LatencyObjectives objectives) {
        return settings(new GenerationLimits(96, 2, 1 << 20, 1, 1), objectives)
                .chunks()
                .step();
    }

    /** The packager warns of less. */
    @ParameterizedTest
    @ValueSource(ints = {2, 96, 192, 193, 1000})
    void theLeastMemoryWithBeginningsOfPromptsHasRoomForABlock(int context) {
        long least = GenerationLimits.leastBytesWithPrefixes(context, 8);

        assertThat(blocks(context, least)).isEqualTo(1);
        assertThat(blocks(context, least - 8)).isZero();
    }

    private static long blocks(int context, long bytes) {
        return settings(new GenerationLimits(context, 1, bytes, 1, 1), LatencyObjectives.NONE)
                        .prefixTokens()
                / PrefixKeys.BLOCK;
    }

    /** The packager must not promise memory in which no context fits. */
    @Test
    void thePackagerCountsTokensAsTheSchedulerDoes() {
        for (int tokens = 1; tokens < 100; tokens++) {
            assertThat(GenerationLimits.charged(tokens)).isEqualTo(ScheduleLimits.charged(tokens));
        }
    }

    @Test
    void aStepTakesNoLongerThanTheObjectiveOfATextsTokens() {
        Duration fast = Duration.ofMillis(12);
        assertThat(step(new LatencyObjectives(Optional.of(Duration.ofSeconds(1)), Optional.of(fast))))
                .isEqualTo(fast);
        assertThat(step(LatencyObjectives.NONE)).isEqualTo(Duration.ofMillis(50));
    }
}
