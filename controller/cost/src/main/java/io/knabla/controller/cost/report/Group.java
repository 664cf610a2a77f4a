package io.knabla.controller.cost.report;

import io.knabla.controller.usage.Interval;
import java.util.Comparator;
import java.util.Optional;

/**
 * A value of the report's dimension that has a row of its own, such as one function or one day.
 *
 * @param name unique in its report; for an hour with its offset, such as {@code 2026-10-25T02:00+01:00}
 * @param time of a month, a day or an hour, as far as it is in the report's period
 */
public record Group(String name, Optional<Interval> time) {
    /** Cost of nodes that belongs to nobody: what no replica held, overhead, and committed time without a node. */
    public static final Group IDLE = named("(idle)");

    /** Replicas whose node is unknown, and nodes that do not state the dimension, such as their zone. */
    public static final Group UNKNOWN = named("(unknown)");

    /** Named groups, then those that stand for what has no name. */
    public static final Comparator<Group> NAMED_FIRST =
            Comparator.comparing(group -> group.equals(IDLE) ? 2 : group.equals(UNKNOWN) ? 1 : 0);

    /** Whether it stands for what has no name of its own. */
    boolean isUnnamed() {
        return equals(IDLE) || equals(UNKNOWN);
    }

    static Group named(String name) {
        return name.isBlank() ? UNKNOWN : new Group(name, Optional.empty());
    }

    static Group of(String name, Interval time) {
        return new Group(name, Optional.of(time));
    }
}
