package io.knabla.controller.billing;

import io.knabla.controller.usage.NodeInterval;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;

/**
 * What one node costs in a period.
 *
 * @param charges in order of time, without overlaps; time without a known price is left out
 * @param topUp paid seconds after the node's end
 * @param interruptionShare what interruptions add, as a fraction of the charges; zero unless a scenario assumes some
 * @param waived nothing is owed, since EC2 interrupted a spot instance in its first hour
 * @param unpriced time without a known price
 */
public record NodeBill(
        NodeInterval node,
        List<Charge> charges,
        Optional<TopUp> topUp,
        BigDecimal interruptionShare,
        boolean waived,
        List<Unpriced> unpriced) {

    public NodeBill {
        charges = List.copyOf(charges);
        unpriced = List.copyOf(unpriced);
    }

    /** Dollars owed. */
    public BigDecimal total() {
        return waived ? Dollars.ZERO : listed();
    }

    /** Dollars that the waiver saves. */
    public BigDecimal credit() {
        return waived ? listed() : Dollars.ZERO;
    }

    /** Dollar-seconds of the charges, without the top-up. */
    public BigDecimal dollarSeconds() {
        return charges.stream().map(Charge::dollarSeconds).reduce(BigDecimal.ZERO, BigDecimal::add);
    }

    /** Dollar-seconds that are paid beyond the node's time: the top-up, and what interruptions add. */
    public BigDecimal overheadDollarSeconds() {
        BigDecimal extra = topUp.map(TopUp::dollarSeconds).orElse(BigDecimal.ZERO);
        return extra.add(dollarSeconds().add(extra).multiply(interruptionShare));
    }

    /** @param fraction of the charges, not negative */
    public NodeBill withInterruptions(BigDecimal fraction) {
        return new NodeBill(node, charges, topUp, fraction, waived, unpriced);
    }

    private BigDecimal listed() {
        return Dollars.ofHourly(dollarSeconds().add(overheadDollarSeconds()));
    }
}
