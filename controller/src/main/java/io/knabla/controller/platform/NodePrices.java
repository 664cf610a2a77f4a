package io.knabla.controller.platform;

import io.knabla.controller.machine.Node;
import java.util.Optional;

/** Knows what nodes cost. */
@FunctionalInterface
public interface NodePrices {
    NodePrices UNKNOWN = _ -> Optional.empty();

    /** Prices of an hour of the node's type in its zone, now; empty if one is not known. Does not wait. */
    Optional<Hourly> of(Node node);

    /** US dollars; both positive. */
    record Hourly(double spot, double onDemand) {}
}
