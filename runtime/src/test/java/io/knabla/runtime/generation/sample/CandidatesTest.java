package io.knabla.runtime.generation.sample;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Selection compared with sorting, which is slow but obvious. */
class CandidatesTest {
    private static final int TRIALS = 300;

    /** With many equal ones. */
    private static float[] logits(Random random) {
        float[] logits = new float[1 + random.nextInt(200)];
        for (int i = 0; i < logits.length; i++) {
            logits[i] = random.nextInt(12) / 2f;
        }
        return logits;
    }

    private static List<Integer> sorted(float[] logits) {
        return IntStream.range(0, logits.length)
                .boxed()
                .sorted(Comparator.<Integer>comparingDouble(id -> -logits[id]).thenComparing(id -> id))
                .toList();
    }

    private static float greatest(float[] logits) {
        return logits[sorted(logits).getFirst()];
    }

    private static Candidates candidates(float[] logits) {
        var candidates = new Candidates();
        candidates.fill(logits, greatest(logits), 1);
        return candidates;
    }

    @Test
    void greatestAreThoseOfASort() {
        var random = new Random(1);
        for (int trial = 0; trial < TRIALS; trial++) {
            float[] logits = logits(random);
            int count = 1 + random.nextInt(logits.length);
            Candidates candidates = new Candidates();
            candidates.fillGreatest(count, logits, greatest(logits), 1);
            assertThat(candidates.size()).isEqualTo(count);
            assertThat(IntStream.range(0, count).map(candidates::id).boxed())
                    .containsExactlyInAnyOrderElementsOf(sorted(logits).subList(0, count));
        }
    }

    @Test
    void shareIsThatOfASort() {
        var random = new Random(2);
        for (int trial = 0; trial < TRIALS; trial++) {
            float[] logits = logits(random);
            double share = random.nextDouble();
            Candidates candidates = candidates(logits);
            candidates.keepShare(share);
            assertThat(candidates.size()).isEqualTo(fewest(logits, share));
        }
    }

    private static int fewest(float[] logits, double share) {
        double[] weights = sorted(logits).stream()
                .mapToDouble(id -> Math.exp(logits[id] - greatest(logits)))
                .toArray();
        double missing = share * Arrays.stream(weights).sum();
        int count = 0;
        while (missing > 1e-12 && count < weights.length) {
            missing -= weights[count++];
        }
        return count;
    }
}
