package io.knabla.runtime.generation.loop;

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
        assertThat(size.tokens(true)).isEqualTo(200);
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
}
