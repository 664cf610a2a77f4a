package io.knabla.controller.cost.scenario;

import io.knabla.controller.billing.Charge;
import io.knabla.controller.billing.Dollars;
import io.knabla.controller.billing.NodeBill;
import io.knabla.controller.price.Price;
import io.knabla.controller.price.Provenance;
import io.knabla.controller.usage.CapacityType;
import io.knabla.controller.usage.NodeInterval;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Optional;

/**
 * What interruptions add to the cost of nodes on spot: as the user states, else as measured on the spot nodes of the
 * same rows. Measured is their time that went to {@link CostPart#INTERRUPTION}, divided by the rest of their time, all
 * at one price, to 6 digits: what is added to a bill without interruptions, of which half is lost if it is 1.
 */
record InterruptionShare(Assumption.Kind kind, BigDecimal fraction) {
    static InterruptionShare of(ScenarioInput input) {
        return input.options()
                .interruptionShare()
                .map(stated -> new InterruptionShare(Assumption.Kind.INTERRUPTION_SHARE_STATED, stated))
                .or(() -> measured(input))
                .orElseGet(() -> new InterruptionShare(Assumption.Kind.INTERRUPTION_SHARE_UNKNOWN, BigDecimal.ZERO));
    }

    Assumption assumption() {
        return new Assumption(kind, "", fraction);
    }

    private static Optional<InterruptionShare> measured(ScenarioInput input) {
        BigDecimal lost = Dollars.ZERO;
        BigDecimal kept = Dollars.ZERO;
        for (NodeInterval node : input.nodes()) {
            Optional<NodeBill> bill = node.capacity() == CapacityType.SPOT ? atOnePrice(node, input) : Optional.empty();
            if (bill.isPresent()) {
                BigDecimal lostHere = lost(input.allocated(bill.get()).allocation());
                lost = lost.add(lostHere);
                kept = kept.add(bill.get().total()).subtract(lostHere);
            }
        }
        return kept.signum() == 0
                ? Optional.empty()
                : Optional.of(new InterruptionShare(
                        Assumption.Kind.INTERRUPTION_SHARE_MEASURED, lost.divide(kept, 6, RoundingMode.HALF_UP)));
    }

    private static BigDecimal lost(NodeAllocation node) {
        return node.replicas().stream()
                .map(replica -> replica.parts().getOrDefault(CostPart.INTERRUPTION, Dollars.ZERO))
                .reduce(Dollars.ZERO, BigDecimal::add);
    }

    private static Optional<NodeBill> atOnePrice(NodeInterval node, ScenarioInput input) {
        Price unit = new Price(
                BigDecimal.ONE,
                new Provenance(
                        Provenance.Quality.DERIVED,
                        "unit of time",
                        input.period().readAt()));
        return input.period()
                .part(node.time())
                .map(time -> new NodeBill(
                        node, List.of(new Charge(time, unit)), Optional.empty(), BigDecimal.ZERO, false, List.of()));
    }
}
