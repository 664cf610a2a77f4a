package io.knabla.controller.scale;

import java.time.Duration;
import java.util.Arrays;

/**
 * Average number of concurrent requests of one version over the last minute, in buckets of one second. Each number is
 * weighted by its duration: a request of 10 ms counts for 10 ms.
 *
 * <p>As in Knative, a series younger than the window is averaged over its age, and a series without requests for as
 * long as it remembers starts over: the first request after a long pause counts in full. Not thread-safe;
 * {@link VersionLoad} guards it.
 */
final class ConcurrencySeries {
    private static final long BUCKET_MILLIS = 1_000;

    /** Request-milliseconds per second, in a ring indexed by the second's number. */
    private final long[] buckets;

    private long first;
    private long last;
    private int current;

    ConcurrencySeries(Duration remembered, long nowMillis) {
        // One more for the part of the oldest second that a window covers, one for the present.
        buckets = new long[Math.toIntExact(remembered.toSeconds()) + 2];
        first = nowMillis;
        last = nowMillis;
    }

    int current() {
        return current;
    }

    void change(long nowMillis, int delta) {
        advance(nowMillis);
        if (current == 0 && silentThroughout()) {
            first = last;
        }
        current += delta;
    }

    /** Average over the window that ends now, or over the age of the series if that is shorter. */
    double average(long nowMillis, Duration window) {
        advance(nowMillis);
        long span = Math.min(window.toMillis(), last - first);
        if (span <= 0) {
            return current;
        }
        long from = last - span;
        long fromBucket = from / BUCKET_MILLIS;
        double covered = (fromBucket + 1) * BUCKET_MILLIS - from;
        // The oldest bucket counts by the share of it that lies in the window and in the series.
        long oldestLength =
                Math.min((fromBucket + 1) * BUCKET_MILLIS, last) - Math.max(fromBucket * BUCKET_MILLIS, first);
        double sum = buckets[slot(fromBucket)] * Math.min(1.0, covered / Math.max(1, oldestLength));
        for (long bucket = fromBucket + 1; bucket <= last / BUCKET_MILLIS; bucket++) {
            sum += buckets[slot(bucket)];
        }
        return sum / span;
    }

    /** Integrates up to now. A clock that steps back is ignored until it catches up. */
    private void advance(long nowMillis) {
        long lastBucket = last / BUCKET_MILLIS;
        long nowBucket = nowMillis / BUCKET_MILLIS;
        if (nowBucket - lastBucket >= buckets.length) {
            // All buckets are older than the ring: only the current number is left, as a constant.
            last = (nowBucket - buckets.length + 1) * BUCKET_MILLIS;
            Arrays.fill(buckets, 0);
        }
        while (last < nowMillis) {
            long bucket = last / BUCKET_MILLIS;
            if (last % BUCKET_MILLIS == 0) {
                buckets[slot(bucket)] = 0;
            }
            long until = Math.min(nowMillis, (bucket + 1) * BUCKET_MILLIS);
            buckets[slot(bucket)] += current * (until - last);
            last = until;
        }
        // `last` may sit on a boundary whose slot still holds an old second.
        if (last % BUCKET_MILLIS == 0) {
            buckets[slot(last / BUCKET_MILLIS)] = 0;
        }
        first = Math.max(first, last - (buckets.length - 1L) * BUCKET_MILLIS);
    }

    private boolean silentThroughout() {
        for (long bucket : buckets) {
            if (bucket != 0) {
                return false;
            }
        }
        return true;
    }

    private int slot(long bucket) {
        return (int) Math.floorMod(bucket, (long) buckets.length);
    }
}
