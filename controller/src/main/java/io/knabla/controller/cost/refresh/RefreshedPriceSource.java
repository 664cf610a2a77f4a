package io.knabla.controller.cost.refresh;

import io.knabla.controller.cost.price.PriceBook;
import io.knabla.controller.cost.price.refresh.RefreshedPrices;
import io.knabla.controller.cost.query.PriceSource;
import io.knabla.storage.ObjectStore;
import jakarta.inject.Singleton;

/** Reads the refreshed prices from the store for every report. What cannot be read is logged and has no price. */
@Singleton
final class RefreshedPriceSource implements PriceSource {
    private static final System.Logger LOG = System.getLogger(RefreshedPriceSource.class.getName());

    private final ObjectStore store;

    RefreshedPriceSource(ObjectStore store) {
        this.store = store;
    }

    @Override
    public PriceBook book() {
        RefreshedPrices prices = RefreshedPrices.read(store);
        prices.damages().forEach(damage -> LOG.log(System.Logger.Level.WARNING, damage));
        return prices.book();
    }
}
