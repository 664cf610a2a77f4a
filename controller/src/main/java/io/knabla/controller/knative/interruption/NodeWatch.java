package io.knabla.controller.knative.interruption;

import io.knabla.controller.knative.interruption.Reachability.Others;
import io.knabla.controller.knative.interruption.Reachability.Verdict;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Remembers what attempts to reach the nodes found, and names the nodes that are lost. One thread at a time. */
final class NodeWatch {
    private final Function<String, Optional<Instant>> renewed;
    private final Map<String, Reachability> nodes = new HashMap<>();

    /** @param renewed when the kubelet of a node last renewed its Lease; asked for suspects only */
    NodeWatch(Function<String, Optional<Instant>> renewed) {
        this.renewed = renewed;
    }

    /**
     * @param answers of one round, by node; nodes that were not asked are forgotten
     * @return nodes that are lost
     */
    Set<String> lost(Map<String, Boolean> answers, Instant now) {
        nodes.keySet().retainAll(answers.keySet());
        answers.forEach((node, answered) -> nodes.merge(
                node, Reachability.UNKNOWN.after(answered, now), (before, _) -> before.after(answered, now)));
        return answers.keySet().stream().filter(node -> isLost(node, answers)).collect(Collectors.toSet());
    }

    private boolean isLost(String node, Map<String, Boolean> answers) {
        Reachability known = nodes.get(node);
        if (known.verdict(others(node, answers)) != Verdict.LOST) {
            return false;
        }
        boolean lost = known.confirmed(renewed.apply(node)) == Verdict.LOST;
        if (!lost) {
            nodes.put(node, new Reachability(true, 0, Optional.empty()));
        }
        return lost;
    }

    /** Those that have answered once: of others, silence says nothing. */
    private Others others(String node, Map<String, Boolean> answers) {
        Set<String> known = answers.keySet().stream()
                .filter(other -> !other.equals(node) && nodes.get(other).reached())
                .collect(Collectors.toSet());
        if (known.isEmpty()) {
            return Others.NONE;
        }
        return known.stream().anyMatch(answers::get) ? Others.ANSWER : Others.SILENT;
    }
}
