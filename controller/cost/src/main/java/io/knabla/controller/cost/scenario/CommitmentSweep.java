package io.knabla.controller.cost.scenario;

import io.knabla.controller.usage.Interval;
import io.knabla.controller.usage.NodeInterval;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Assigns the committed instances of one kind to its nodes over time: at each moment those that have run longest. */
final class CommitmentSweep {
    /** Of two nodes that started together, the one with the smaller id counts as the older. */
    static final Comparator<NodeInterval> LONGEST =
            Comparator.comparing((NodeInterval node) -> node.time().start()).thenComparing(NodeInterval::id);

    /** @param time in which the node counts, with an end */
    record Part(NodeInterval node, Interval time) {}

    /** Time in which a node had a committed instance, or had none. */
    record Spell(Interval time, boolean committed) {}

    private record Change(Instant at, boolean starts, NodeInterval node) {
        // An instance that a node leaves is free for one that starts at the same moment.
        static final Comparator<Change> ORDER =
                Comparator.comparing(Change::at).thenComparing(Change::starts).thenComparing(Change::node, LONGEST);

        static Stream<Change> of(Part part) {
            return Stream.of(
                    new Change(part.time().start(), true, part.node()),
                    new Change(part.time().end().orElseThrow(), false, part.node()));
        }
    }

    private final int instances;
    private final NavigableSet<NodeInterval> committed = new TreeSet<>(LONGEST);
    private final NavigableSet<NodeInterval> others = new TreeSet<>(LONGEST);
    private final Map<String, Instant> since = new HashMap<>();
    private final Map<String, List<Spell>> spells = new HashMap<>();

    private CommitmentSweep(int instances) {
        this.instances = instances;
    }

    /** Spells of each node by its id, in order of time; neighbouring ones differ. */
    static Map<String, List<Spell>> spells(List<Part> parts, int instances) {
        CommitmentSweep sweep = new CommitmentSweep(instances);
        changes(parts).forEach(sweep::apply);
        return sweep.spells;
    }

    /** Most nodes that ran at once. */
    static int peak(List<Part> parts) {
        int running = 0;
        int peak = 0;
        for (Change change : changes(parts).toList()) {
            running += change.starts() ? 1 : -1;
            peak = Math.max(peak, running);
        }
        return peak;
    }

    private static Stream<Change> changes(List<Part> parts) {
        return parts.stream().flatMap(Change::of).sorted(Change.ORDER);
    }

    private void apply(Change change) {
        if (change.starts()) {
            NavigableSet<NodeInterval> joined = committed.size() < instances ? committed : others;
            joined.add(change.node());
            since.put(change.node().id(), change.at());
        } else if (others.remove(change.node())) {
            close(change.node(), change.at(), false);
        } else {
            committed.remove(change.node());
            close(change.node(), change.at(), true);
            promote(change.at());
        }
    }

    /** Gives a free instance to the node that has run longest without one. */
    private void promote(Instant at) {
        NodeInterval next = others.pollFirst();
        if (next != null) {
            close(next, at, false);
            committed.add(next);
            since.put(next.id(), at);
        }
    }

    private void close(NodeInterval node, Instant at, boolean wasCommitted) {
        Instant from = since.get(node.id());
        if (from.isBefore(at)) {
            spells.computeIfAbsent(node.id(), id -> new ArrayList<>())
                    .add(new Spell(Interval.of(from, at), wasCommitted));
        }
    }
}
