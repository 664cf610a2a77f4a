package io.knabla.controller.cost.query;

import io.knabla.controller.cost.price.BundledPrices;
import io.knabla.controller.cost.price.DeclaredPrice;
import io.knabla.controller.cost.price.DeclaredPrices;
import io.knabla.controller.cost.price.LayeredBook;
import io.knabla.controller.cost.price.PriceBook;
import io.knabla.controller.cost.price.RowBook;
import io.knabla.controller.home.ConfigFile;
import io.knabla.controller.home.Home;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;

/** The prices of this platform: declared over refreshed over bundled. */
@Singleton
public class PriceBooks {
    private final CostSettings settings;
    private final Iterable<PriceSource> sources;
    private final Clock clock;
    private RowBook bundled;

    PriceBooks(Home home, @Any Instance<PriceSource> sources, Clock clock) {
        this.settings = CostSettings.of(ConfigFile.read(home.config()));
        this.sources = sources;
        this.clock = clock;
    }

    /** What is known now; may read a store. */
    public PriceBook book() {
        return book(List.of());
    }

    /** @param more declared for one report, before those of config.yaml */
    PriceBook book(List<DeclaredPrice> more) {
        List<PriceBook> refreshed = new ArrayList<>();
        sources.forEach(source -> refreshed.add(source.book()));
        refreshed.add(bundled());
        PriceBook declared =
                DeclaredPrices.over(new LayeredBook(refreshed), settings.prices(), "config.yaml", clock.instant());
        return more.isEmpty() ? declared : DeclaredPrices.over(declared, more, "scenario file", clock.instant());
    }

    private synchronized RowBook bundled() {
        if (bundled == null) {
            bundled = BundledPrices.book();
        }
        return bundled;
    }
}
