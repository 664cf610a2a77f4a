package io.knabla.controller.usage;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.functions.unit.usage.Counters;
import io.knabla.functions.unit.usage.ReplicaTotals;
import java.math.BigDecimal;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.BigRange;
import org.assertj.core.api.AutoCloseableSoftAssertions;

class WorkTest {
    private static Work work(Random random) {
        return new Work(
                random.nextInt(99),
                random.nextInt(9),
                random.nextInt(9),
                random.nextLong(Counters.MOST),
                random.nextInt(9_999),
                Counters.of(Map.of("toy_tokens", random.nextLong(Counters.MOST), "steps", random.nextLong(2))));
    }

    @Property(tries = 200)
    void differencesAndSumsBelongTogether(@ForAll long seed) {
        Random random = new Random(seed);
        Work one = work(random);
        Work other = work(random);
        Work third = work(random);
        try (var all = new AutoCloseableSoftAssertions()) {
            all.assertThat(one.plus(other)).isEqualTo(other.plus(one));
            all.assertThat(one.plus(other).plus(third)).isEqualTo(one.plus(other.plus(third)));
            all.assertThat(one.plus(other).minus(other)).isEqualTo(one);
            all.assertThat(one.max(other)).isEqualTo(other.max(one));
            all.assertThat(one.max(other).minus(one).plus(one)).isEqualTo(one.max(other));
            all.assertThat(one.minus(one)).isEqualTo(Work.NONE);
        }
    }

    /** A report of two adjacent periods shows what one of both shows. */
    @Property(tries = 200)
    void sharesOfALifeSumToTheWhole(
            @ForAll long seed,
            @ForAll @BigRange(min = "0", max = "1") BigDecimal early,
            @ForAll @BigRange(min = "0", max = "1") BigDecimal late) {
        Work all = work(new Random(seed));
        Work until = all.share(early.min(late));
        Work later = all.share(early.max(late));
        assertThat(until.plus(later.minus(until)).plus(all.minus(later))).isEqualTo(all);
        assertThat(all.share(BigDecimal.ZERO)).isEqualTo(Work.NONE);
        assertThat(all.share(BigDecimal.ONE)).isEqualTo(all);
    }

    @Example
    void shareIsRoundedDown() {
        Work work = new Work(3, 0, 0, 7, 5, new Counters(Map.of("toy_tokens", 42L, "steps", 1L)));
        assertThat(work.share(new BigDecimal("0.5")))
                .isEqualTo(new Work(1, 0, 0, 3, 2, new Counters(Map.of("toy_tokens", 21L))));
    }

    @Example
    void aReplicaTellsAllButItsRetries() {
        Counters counters = new Counters(Map.of("toy_tokens", 42L));
        assertThat(Work.of(new ReplicaTotals(7, 1, 64, 35, 120, 900, counters), 2))
                .isEqualTo(new Work(7, 1, 2, 64, 35, counters));
    }
}
