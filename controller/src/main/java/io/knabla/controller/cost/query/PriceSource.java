package io.knabla.controller.cost.query;

import io.knabla.controller.cost.price.PriceBook;

/** Prices that are newer than the bundled ones, such as those refreshed from a provider. A bean of its own. */
public interface PriceSource {
    /** The prices that are known now; may read a store. */
    PriceBook book();
}
