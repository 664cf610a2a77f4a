package io.knabla.controller.warm.live;

import io.knabla.controller.warm.policy.GreedyDual;
import io.knabla.controller.warm.policy.Reason;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Divides a memory budget among the functions' warm replicas: {@link GreedyDual} says who gives way. Not thread-safe.
 */
public final class WarmMemory {
    private final double budgetGb;
    private final GreedyDual order = new GreedyDual();
    private Set<String> warm = Set.of();

    public WarmMemory(double budgetGb) {
        this.budgetGb = budgetGb;
    }

    /** @param gb memory of one replica */
    public record Claim(WarmNeed need, double gb) {}

    /** A request of a function begins. */
    public void used(String function, double startSeconds, double gb) {
        order.used(function, startSeconds, gb);
    }

    /** Reduces the needs to what fits; those of the highest priority come first. */
    public Map<String, WarmNeed> divide(Map<String, Claim> claims) {
        Map<String, WarmNeed> divided = new TreeMap<>();
        Set<String> kept = new HashSet<>();
        double left = budgetGb;
        for (String function : byPriority(claims)) {
            Claim claim = claims.get(function);
            WarmNeed need = claim.need().atMost((int) (left / claim.gb()), Reason.OVER_BUDGET);
            left -= need.keep() * claim.gb();
            divided.put(function, need);
            if (need.keep() > 0) {
                kept.add(function);
            }
        }
        warm.stream()
                .filter(function -> !kept.contains(function) && claims.containsKey(function))
                .filter(function -> claims.get(function).need().keep() > 0)
                .forEach(order::evicted);
        warm = kept;
        return divided;
    }

    private List<String> byPriority(Map<String, Claim> claims) {
        return claims.keySet().stream()
                .sorted(Comparator.comparingDouble(order::priority).reversed().thenComparing(Comparator.naturalOrder()))
                .toList();
    }

    public void left(String function) {
        order.left(function);
    }
}
