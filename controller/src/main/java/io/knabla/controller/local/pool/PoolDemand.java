package io.knabla.controller.local.pool;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;

/**
 * Recent starts by variant, and how many pool members of each they call for. A member is replaced within about a second
 * of quiet, so the largest burst counts and not the rate. Not thread-safe.
 */
final class PoolDemand {
    /** Starts within this time count as one burst. */
    static final Duration BURST = Duration.ofSeconds(2);

    /** As long as OpenWhisk keeps a stem cell that nobody needed. */
    static final Duration MEMORY = Duration.ofMinutes(2);

    private final PoolSize size;

    /** The least recently used first. */
    private final SequencedMap<PoolVariant, List<Instant>> starts = new LinkedHashMap<>();

    /** @param usual what a replica that declares nothing needs; the minimum is of it until the first start */
    PoolDemand(PoolSize size, PoolVariant usual) {
        this.size = size;
        starts.put(usual, List.of());
    }

    void started(PoolVariant variant, Instant now) {
        List<Instant> recent = new ArrayList<>(starts.getOrDefault(variant, List.of()));
        recent.add(now);
        starts.remove(variant);
        starts.put(variant, recent);
    }

    /**
     * Members to keep of each variant, the most recently used first; together at most {@link PoolSize#max}, and one for
     * each GPU, of whose memory it holds a part.
     */
    Map<PoolVariant, Integer> targets(Instant now) {
        starts.replaceAll((_, all) ->
                all.stream().filter(start -> start.isAfter(now.minus(MEMORY))).toList());
        Set<PoolVariant> latest = latestOfEachDevice();
        starts.entrySet().removeIf(variant -> variant.getValue().isEmpty() && !latest.contains(variant.getKey()));
        Map<PoolVariant, Integer> targets = new LinkedHashMap<>();
        int left = size.max();
        for (PoolVariant variant : starts.sequencedKeySet().reversed()) {
            int least = latest.contains(variant) ? size.min() : 0;
            int most = variant.isOnCpu() ? left : latest.contains(variant) ? Math.min(left, 1) : 0;
            int wanted = Math.min(most, Math.max(least, largestBurst(starts.get(variant))));
            targets.put(variant, wanted);
            left -= wanted;
        }
        return targets;
    }

    private Set<PoolVariant> latestOfEachDevice() {
        Map<Map<String, String>, PoolVariant> latest = new HashMap<>();
        starts.sequencedKeySet().forEach(variant -> latest.put(variant.device(), variant));
        return Set.copyOf(latest.values());
    }

    private static int largestBurst(List<Instant> starts) {
        int largest = 0;
        int first = 0;
        for (int last = 0; last < starts.size(); last++) {
            while (starts.get(first).isBefore(starts.get(last).minus(BURST))) {
                first++;
            }
            largest = Math.max(largest, last - first + 1);
        }
        return largest;
    }
}
