package io.knabla.storage.s3.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

/** Tests the rate limit on a simulated clock. */
class RateLimiterTest {
    private static final long SECOND = 1_000_000_000L;

    private final RateLimiter rate = new RateLimiter();
    private long now = 5 * SECOND;

    @Test
    void isUnlimitedUntilThrottled() {
        for (int i = 0; i < 100_000; i++) {
            assertThat(rate.reserve(now)).isZero();
        }
    }

    @Test
    void halvesTheRateItHad() {
        sendFor(5, 1_000);
        rate.slowDown(now);

        assertThat(sentIn(SECOND / 10)).isCloseTo(50, within(8));
    }

    @Test
    void countsTheRefusalsOfOneBurstOnce() {
        sendFor(5, 1_000);
        for (int i = 0; i < 30; i++) {
            rate.slowDown(now);
        }
        assertThat(sentIn(SECOND / 10)).isCloseTo(50, within(8));
    }

    @Test
    void neverGoesBelowTheFloor() {
        for (int i = 0; i < 20; i++) {
            rate.reserve(now);
            rate.slowDown(now);
            now += SECOND / 2;
        }
        rate.slowDown(now);
        assertThat(sentIn(SECOND)).isCloseTo((int) RateLimiter.FLOOR, Percentage.withPercentage(50));
    }

    @Test
    void becomesUnlimitedAgain() {
        rate.reserve(now);
        rate.slowDown(now);
        now += 16 * SECOND;

        for (int i = 0; i < 10_000; i++) {
            assertThat(rate.reserve(now)).isZero();
        }
    }

    private void sendFor(int seconds, int perSecond) {
        for (int i = 0; i < seconds * perSecond; i++) {
            rate.reserve(now);
            now += SECOND / perSecond;
        }
    }

    /** Counts the requests of one sender that obeys the returned delays. */
    private int sentIn(long nanos) {
        long end = now + nanos;
        int sent = 0;
        for (now += rate.reserve(now); now < end; now += rate.reserve(now)) {
            sent++;
        }
        return sent;
    }
}
