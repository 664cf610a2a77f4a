package io.knabla.controller.scale.fleet;

import io.knabla.controller.machine.Node;
import io.knabla.controller.machine.Node.CapacityType;
import io.knabla.controller.platform.NodePrices;
import io.knabla.controller.platform.NodePrices.Hourly;
import io.knabla.controller.spot.policy.ZoneOffer;
import io.knabla.functions.spec.FunctionSpec.Pool;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BinaryOperator;

/**
 * Derives what zones offer from the nodes there.
 *
 * @param turn rotates the order of the zones, so that versions do not all prefer the same zone; not negative
 */
record ZoneOffers(Collection<Node> nodes, NodePrices prices, int turn) {
    /** Where a price is not known, spot costs a third of on demand, about the median of published prices. */
    private static final double SPOT_PRICE = 1;

    /** Prices are relative to this one, so that a price that becomes known is no change of the market. */
    private static final double ON_DEMAND_PRICE = 3;

    /**
     * Zones with spot nodes of the pool. If there are none, all zones, where spot capacity then saves nothing: what is
     * missing is found when a replica is placed.
     */
    List<ZoneOffer> of(Pool pool) {
        List<Node> spot = nodes.stream()
                .filter(node -> node.pool() == pool)
                .filter(node -> node.capacityType() == CapacityType.Spot)
                .toList();
        List<ZoneOffer> offers = new ArrayList<>(spot.isEmpty() ? withoutSpot() : priced(spot));
        Collections.rotate(offers, turn);
        return offers;
    }

    private List<ZoneOffer> withoutSpot() {
        return nodes.stream()
                .map(Node::zone)
                .distinct()
                .sorted()
                .map(zone -> ZoneOffer.of(zone, ON_DEMAND_PRICE, ON_DEMAND_PRICE))
                .toList();
    }

    /** A zone costs what its cheapest node costs. Unless all prices are known, none is used: they would not compare. */
    private List<ZoneOffer> priced(List<Node> spot) {
        Map<String, Hourly> zones = new TreeMap<>();
        boolean known = true;
        for (Node node : spot) {
            Optional<Hourly> price = prices.of(node);
            known &= price.isPresent();
            zones.merge(
                    node.zone(),
                    price.orElse(new Hourly(SPOT_PRICE, ON_DEMAND_PRICE)),
                    BinaryOperator.minBy(Comparator.comparingDouble(Hourly::spot)));
        }
        if (!known) {
            zones.replaceAll((_, _) -> new Hourly(SPOT_PRICE, ON_DEMAND_PRICE));
        }
        double least =
                zones.values().stream().mapToDouble(Hourly::onDemand).min().orElseThrow();
        double unit = ON_DEMAND_PRICE / least;
        return zones.entrySet().stream()
                .map(zone -> ZoneOffer.of(
                        zone.getKey(),
                        zone.getValue().spot() * unit,
                        zone.getValue().onDemand() * unit))
                .toList();
    }
}
