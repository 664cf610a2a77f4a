package io.knabla.controller.cost.report;

import io.knabla.controller.billing.Dollars;
import io.knabla.controller.billing.Unpriced;
import java.math.BigDecimal;
import java.util.Collections;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Dollars of a row under one offer, as far as prices are known. What has no price is never shown as zero. */
public sealed interface Amount {
    Amount ZERO = new Whole(Dollars.ZERO);

    /** Everything has a price. */
    record Whole(BigDecimal usd) implements Amount {
        @Override
        public BigDecimal priced() {
            return usd;
        }

        @Override
        public Set<Unpriced.Reason> missing() {
            return Set.of();
        }
    }

    /** A part has no price. */
    record Part(BigDecimal priced, Set<Unpriced.Reason> missing) implements Amount {
        public Part {
            missing = sorted(missing);
        }
    }

    /** Nothing has a price. */
    record Missing(Set<Unpriced.Reason> missing) implements Amount {
        public Missing {
            missing = sorted(missing);
        }

        @Override
        public BigDecimal priced() {
            return Dollars.ZERO;
        }
    }

    /** Dollars of what has a price. */
    BigDecimal priced();

    /** Why prices are missing, in the order of the reasons; empty if none is. */
    Set<Unpriced.Reason> missing();

    static Amount of(BigDecimal priced, Set<Unpriced.Reason> missing) {
        if (missing.isEmpty()) {
            return new Whole(priced);
        }
        return priced.signum() == 0 ? new Missing(missing) : new Part(priced, missing);
    }

    default Amount plus(Amount other) {
        Set<Unpriced.Reason> reasons = new TreeSet<>(missing());
        reasons.addAll(other.missing());
        return of(priced().add(other.priced()), reasons);
    }

    /** The dollars, if everything has a price. */
    default Optional<BigDecimal> whole() {
        return switch (this) {
            case Whole(BigDecimal usd) -> Optional.of(usd);
            case Part part -> Optional.empty();
            case Missing missing -> Optional.empty();
        };
    }

    /** The dollars of what has a price; empty if nothing has. */
    default Optional<BigDecimal> known() {
        return switch (this) {
            case Whole(BigDecimal usd) -> Optional.of(usd);
            case Part part -> Optional.of(part.priced());
            case Missing missing -> Optional.empty();
        };
    }

    private static Set<Unpriced.Reason> sorted(Set<Unpriced.Reason> reasons) {
        return Collections.unmodifiableSet(new TreeSet<>(reasons));
    }
}
