package io.knabla.controller.cost.query;

import io.knabla.controller.cost.pricelist.RefreshedPrices;
import io.knabla.controller.home.ConfigFile;
import io.knabla.controller.home.Home;
import io.knabla.controller.price.BundledPrices;
import io.knabla.controller.price.DeclaredPrice;
import io.knabla.controller.price.DeclaredPrices;
import io.knabla.controller.price.LayeredBook;
import io.knabla.controller.price.PriceBook;
import io.knabla.controller.price.PriceRow;
import io.knabla.controller.price.ReferencePrices;
import io.knabla.controller.price.RowBook;
import io.knabla.storage.ObjectStore;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/** The prices of this platform: declared over refreshed over bundled, and for reports over those of a reference. */
@Singleton
public class PlatformPrices {
    /** Refreshed prices change once a day; to read them is a request for each of their files. */
    private static final Duration FRESH = Duration.ofMinutes(10);

    private final List<DeclaredPrice> declared;
    private final ObjectStore store;
    private final Clock clock;
    private PriceBook bundled;
    private List<PriceRow> reference = List.of();
    private RefreshedPrices refreshed;
    private Instant readAt = Instant.MIN;

    PlatformPrices(Home home, ObjectStore store, Clock clock) {
        this.declared = CostSettings.of(ConfigFile.read(home.config())).prices();
        this.store = store;
        this.clock = clock;
    }

    /** Prices as they are known now, for decisions: without those that are assumed for a laptop; may read the store. */
    public PriceBook book() {
        RefreshedPrices newer = refreshed();
        return declaredOver(List.of(newer.book(), bundled));
    }

    private PriceBook declaredOver(List<PriceBook> books) {
        return DeclaredPrices.over(new LayeredBook(books), declared, "config.yaml", clock.instant());
    }

    /**
     * Prices as they are known now, for reports.
     *
     * @param damages refreshed prices that could not be read, with file and line
     */
    record Known(PriceBook book, List<String> damages) {}

    /**
     * @param more declared for one report, before those of config.yaml
     * @throws io.knabla.storage.StorageException if the store fails
     */
    Known known(List<DeclaredPrice> more) {
        RefreshedPrices newer = refreshed();
        PriceBook book = declaredOver(List.of(newer.book(), bundled, new RowBook(reference)));
        return new Known(DeclaredPrices.over(book, more, "scenario file", clock.instant()), newer.damages());
    }

    /** Every price that is known, those that others come before as well; reads the store. */
    Stream<PriceRow> rows() {
        refreshed();
        return Stream.of(
                        DeclaredPrices.rows(declared, "config.yaml", clock.instant()),
                        RefreshedPrices.rows(store),
                        BundledPrices.rows(),
                        reference)
                .flatMap(List::stream);
    }

    private synchronized RefreshedPrices refreshed() {
        if (bundled == null) {
            bundled = BundledPrices.book();
            reference = ReferencePrices.rows(bundled, Runtime.getRuntime().availableProcessors());
        }
        Instant now = clock.instant();
        if (now.isAfter(readAt.plus(FRESH)) || now.isBefore(readAt)) {
            refreshed = RefreshedPrices.read(store);
            readAt = now;
        }
        return refreshed;
    }
}
