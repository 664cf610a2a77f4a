package io.knabla.controller.cost.pricelist;

import io.knabla.controller.price.ParsedRows;
import io.knabla.controller.price.PriceRow;
import java.time.Instant;
import java.util.List;

/** Asks a provider for one kind of prices in one region. */
public interface PriceSource {
    /** Kind of prices, such as {@code aws-spot}: the folder of its files, a segment of an object key. */
    String name();

    /** As the provider names it; a segment of an object key. */
    String region();

    /**
     * Returns all prices that were asked for, or fails: half a history would leave a gap.
     *
     * @param stored what is in the store already; a history is asked for from there on
     * @throws RuntimeException if the provider does not answer, or not completely; what is stored stays
     */
    ParsedRows fetch(List<PriceRow> stored, Instant now);
}
