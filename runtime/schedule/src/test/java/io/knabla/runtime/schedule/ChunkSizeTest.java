package io.knabla.runtime.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ChunkSizeTest {
    private final ChunkSize size = new ChunkSize(new ChunkSize.Limits(512, Duration.ofMillis(50)));

    private static long millis(long millis) {
        return Duration.ofMillis(millis).toNanos();
    }

    @Test
    void readsMostWhileNothingIsKnown() {
        assertThat(size.tokens(true)).isEqualTo(512);
    }

    @Test
    void readsWhatFitsBesideTheOthers() {
        size.read(100, millis(20));
        size.decoded(millis(10));
        // Nine tenths of 50 ms, less 10 ms, at 0.2 ms a token.
        assertThat(size.tokens(true)).isEqualTo(175);
    }

    @Test
    void readsMostIfNoneDecodes() {
        size.read(100, millis(1000));
        assertThat(size.tokens(false)).isEqualTo(512);
    }

    @Test
    void goesOnReadingWhereNothingFits() {
        size.read(100, millis(100));
        size.decoded(millis(90));
        assertThat(size.tokens(true)).isEqualTo(16);
    }

    @Test
    void staysBelowASmallLimit() {
        var small = new ChunkSize(new ChunkSize.Limits(7, Duration.ofMillis(50)));
        small.read(10, millis(1000));
        assertThat(small.tokens(true)).isEqualTo(7);
    }

    /** Runs of 20 ms and 0.1 ms a token. */
    private static void readTwo(ChunkSize size) {
        size.read(100, millis(30));
        size.read(300, millis(50));
    }

    @Test
    void readsAnEfficientPartWhereSmallOnesAreNotWorthTheirRuns() {
        var large = new ChunkSize(new ChunkSize.Limits(4096, Duration.ofMillis(50)));
        readTwo(large);
        assertThat(large.tokens(true)).isBetween(1999, 2000);
    }

    @Test
    void aPartLeavesTimeForWhatItsRunTakes() {
        var slow = new ChunkSize(new ChunkSize.Limits(4096, Duration.ofMillis(100)));
        slow.read(1000, millis(120));
        slow.read(500, millis(70));
        slow.decoded(millis(30));
        // 60 ms: a run takes 20 of them, each token 0.1.
        assertThat(slow.tokens(true)).isBetween(399, 400);
    }

    @Test
    void aPartIsReadInAsManyRunsAsThereWereOfLate() {
        var slow = new ChunkSize(new ChunkSize.Limits(4096, Duration.ofMillis(100)));
        slow.read(300, millis(50));
        slow.read(100, millis(30));
        // 90 ms in runs of (0.9 x 50 + 30) ms for (0.9 x 300 + 100) tokens.
        assertThat(slow.tokens(true)).isBetween(443, 444);
    }

    @Test
    void runsOfEqualLengthTellNothingOfWhatARunTakes() {
        size.read(100, millis(20));
        size.read(101, millis(20) + 50_000);
        size.decoded(millis(49));
        assertThat(size.tokens(true)).isEqualTo(16);
    }
}
