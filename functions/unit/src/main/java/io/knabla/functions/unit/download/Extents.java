package io.knabla.functions.unit.download;

import io.knabla.storage.ByteRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Set of the byte ranges of a file that are present, kept as maximal disjoint ranges. For one thread. */
final class Extents {
    /** First byte to one past the last byte; no two ranges touch. */
    private final TreeMap<Long, Long> stretches = new TreeMap<>();

    private long bytes;

    void add(ByteRange range) {
        long from = range.offset();
        long to = from + range.length();
        Map.Entry<Long, Long> before = stretches.floorEntry(from);
        if (before != null && before.getValue() >= from) {
            from = before.getKey();
            to = Math.max(to, before.getValue());
        }
        for (var next = stretches.ceilingEntry(from);
                next != null && next.getKey() <= to;
                next = stretches.ceilingEntry(from)) {
            to = Math.max(to, next.getValue());
            bytes -= next.getValue() - next.getKey();
            stretches.remove(next.getKey());
        }
        if (to > from) {
            stretches.put(from, to);
            bytes += to - from;
        }
    }

    /** Number of bytes present. */
    long bytes() {
        return bytes;
    }

    /** The first missing byte at or after {@code from}. */
    long contiguousEnd(long from) {
        Map.Entry<Long, Long> around = stretches.floorEntry(from);
        return around == null ? from : Math.max(from, around.getValue());
    }

    /** The missing ranges of a file of {@code size} bytes, in order. */
    List<ByteRange> gaps(long size) {
        var gaps = new ArrayList<ByteRange>();
        long at = 0;
        for (Map.Entry<Long, Long> stretch : stretches.entrySet()) {
            if (stretch.getKey() > at) {
                gaps.add(new ByteRange(at, Math.min(stretch.getKey(), size) - at));
            }
            at = stretch.getValue();
        }
        if (at < size) {
            gaps.add(new ByteRange(at, size - at));
        }
        return gaps;
    }
}
