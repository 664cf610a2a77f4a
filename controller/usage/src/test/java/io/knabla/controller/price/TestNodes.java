package io.knabla.controller.price;

import io.knabla.controller.usage.CapacityType;
import io.knabla.controller.usage.Interval;
import io.knabla.controller.usage.NodeEnd;
import io.knabla.controller.usage.NodeInterval;
import io.knabla.controller.usage.Resources;
import java.math.BigDecimal;
import java.time.Instant;

/** Makes nodes for tests: valid ones, of 4 CPUs and 16 GiB, with a price in {@link TestBook}. */
public final class TestNodes {
    public static final Instant MIDNIGHT = Instant.parse("2026-03-10T00:00:00Z");
    public static final Resources SIZE = new Resources(BigDecimal.valueOf(4), 16L << 30, 0);

    private TestNodes() {}

    public static NodeInterval node(String id, CapacityType capacity, Interval time, NodeEnd end) {
        return node(id, TestBook.TYPE, capacity, time, end);
    }

    public static NodeInterval node(String id, String type, CapacityType capacity, Interval time, NodeEnd end) {
        return new NodeInterval(id, id, "cpu", capacity, type, "us-test-1", "ust1-az1", SIZE, time, end);
    }
}
