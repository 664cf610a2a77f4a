package io.knabla.controller.local.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PoolDemandTest {
    private static final PoolVariant USUAL = new PoolVariant(List.of("java", "-Xmx256m"));
    private static final PoolVariant SMALL = new PoolVariant(List.of("java", "-Xmx64m"));

    private static final Map<String, String> GPU = Map.of("KNABLA_DEVICE", "cuda");
    private static final PoolVariant ON_GPU = new PoolVariant(USUAL.command(), GPU);
    private static final PoolVariant SMALL_ON_GPU = new PoolVariant(SMALL.command(), GPU);
    private static final PoolVariant ON_SECOND_GPU =
            new PoolVariant(USUAL.command(), Map.of("KNABLA_DEVICE", "cuda:1"));

    private final PoolDemand demand = new PoolDemand(new PoolSize(1, 4), USUAL);

    private static Instant at(double seconds) {
        return Instant.EPOCH.plusMillis((long) (1000 * seconds));
    }

    @Test
    void keepsTheMinimumOfTheUsualVariantWithoutDemand() {
        assertThat(demand.targets(at(0))).isEqualTo(Map.of(USUAL, 1));
    }

    @Test
    void keepsAsManyAsTheLargestRecentBurstUpToTheMaximum() {
        List.of(10.0, 11.0, 12.0, 60.0).forEach(second -> demand.started(USUAL, at(second)));
        assertThat(demand.targets(at(61))).isEqualTo(Map.of(USUAL, 3));

        for (int i = 0; i < 10; i++) {
            demand.started(USUAL, at(62));
        }
        assertThat(demand.targets(at(63))).isEqualTo(Map.of(USUAL, 4));
        assertThat(demand.targets(at(62 + 121))).isEqualTo(Map.of(USUAL, 1));
    }

    @Test
    void variantsShareTheMaximumAndTheLatestKeepsTheMinimum() {
        demand.started(USUAL, at(0));
        demand.started(USUAL, at(1));
        demand.started(SMALL, at(10));
        assertThat(demand.targets(at(11))).isEqualTo(Map.of(SMALL, 1, USUAL, 2));

        for (int i = 0; i < 3; i++) {
            demand.started(SMALL, at(11));
        }
        assertThat(demand.targets(at(12))).isEqualTo(Map.of(SMALL, 4, USUAL, 0));
        assertThat(demand.targets(at(200))).isEqualTo(Map.of(SMALL, 1));
    }

    @Test
    void keepsOneOnEachGpuAfterItsFirstStart() {
        for (int i = 0; i < 3; i++) {
            demand.started(ON_GPU, at(1));
        }
        assertThat(demand.targets(at(2))).isEqualTo(Map.of(ON_GPU, 1, USUAL, 1));

        demand.started(SMALL_ON_GPU, at(10));
        assertThat(demand.targets(at(11))).isEqualTo(Map.of(SMALL_ON_GPU, 1, ON_GPU, 0, USUAL, 1));

        demand.started(ON_SECOND_GPU, at(200));
        assertThat(demand.targets(at(201))).isEqualTo(Map.of(ON_SECOND_GPU, 1, SMALL_ON_GPU, 1, USUAL, 1));
    }

    @Test
    void refusesAMinimumAboveTheMaximum() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new PoolSize(2, 1))
                .withMessage(
                        "warm.pool in config.yaml has min 2 and max 1; write 0 <= min <= max, and max 0 for no pool");
    }
}
