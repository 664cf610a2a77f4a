package io.knabla.runtime.generation.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.runtime.generation.GenerationEvent.Finished;
import io.knabla.runtime.generation.GenerationRequest;
import io.knabla.runtime.generation.Generator;
import io.knabla.runtime.generation.Sampling;
import io.knabla.runtime.generation.loop.Texts.Whole;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PrefixCacheTest {
    private static GenerationRequest request(int seed, int length) {
        return GenerationRequest.of(new Random(seed).ints(length, 0, 90).toArray(), 5, Sampling.GREEDY);
    }

    private static Generator open(int blocks) {
        return FakeGenerators.one()
                .withPrefixes(blocks * PrefixKeys.BLOCK)
                .open(() -> FakeDecoder.running(FakeModels::mixed));
    }

    private static int cached(Generator generator, GenerationRequest request) throws InterruptedException {
        return ((Finished) Texts.generate(generator, request).last()).usage().cached();
    }

    @Test
    void secondPromptIsNotReadAgainAndHasTheSameText() throws InterruptedException {
        try (var generator = open(4)) {
            Whole first = Texts.generate(generator, request(1, 80));
            Whole second = Texts.generate(generator, request(1, 80));
            assertThat(second.pieces()).isEqualTo(first.pieces());
            assertThat(((Finished) second.last()).usage().cached()).isEqualTo(64);
            assertThat(generator.statistics().cachedTokens()).isEqualTo(64);
            assertThat(generator.statistics().promptTokens()).isEqualTo(80 + 16);
        }
    }

    @Test
    void atLeastTwoTokensAreRead() throws InterruptedException {
        try (var generator = open(4)) {
            cached(generator, request(1, 80));
            assertThat(cached(generator, request(1, 65))).isZero();
            assertThat(cached(generator, request(1, 66))).isEqualTo(64);
        }
    }

    @Test
    void oldestBlockGoesWhereAllAreTaken() throws InterruptedException {
        try (var generator = open(2)) {
            cached(generator, request(1, 80));
            cached(generator, request(2, 80));
            assertThat(cached(generator, request(1, 80))).isEqualTo(64);
            cached(generator, request(3, 80));
            assertThat(cached(generator, request(1, 80))).isEqualTo(64);
            assertThat(cached(generator, request(2, 80))).isZero();
        }
    }

    @Test
    void keyOfABlockDependsOnAllBeforeIt() {
        int[] prompt = new Random(1).ints(3 * PrefixKeys.BLOCK, 0, 90).toArray();
        int[] other = prompt.clone();
        other[0]++;
        var keys = PrefixKeys.of(prompt).keys();
        assertThat(keys)
                .hasSize(2)
                .doesNotContainAnyElementsOf(PrefixKeys.of(other).keys());
        assertThat(PrefixKeys.of(Arrays.copyOf(prompt, 70)).keys()).containsExactly(keys.getFirst());
    }
}
