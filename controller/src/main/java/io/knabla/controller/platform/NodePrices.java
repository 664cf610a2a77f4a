package io.knabla.controller.platform;

import io.knabla.controller.machine.Node;
import java.util.Optional;

/** Knows what nodes cost. */
@FunctionalInterface
public interface NodePrices {
    NodePrices UNKNOWN = _ -> Optional.empty();

    /** Prices of an hour of the node's type in its zone, now; empty if one is not known. Does not wait. */
    Optional<Hourly> of(Node node);

    /** What the node's type costs on demand, now; empty if nobody declared or published a price. Does not wait. */
    default Optional<OnDemand> onDemand(Node node) {
        return of(node).map(price -> new OnDemand(price.onDemand(), 0, 0));
    }

    /**
     * @param dollarsPerHour positive
     * @param vcpus that the node has for it; 0 if unknown
     * @param gpus likewise
     */
    record OnDemand(double dollarsPerHour, double vcpus, double gpus) {}

    /** US dollars; both positive. */
    record Hourly(double spot, double onDemand) {}
}
