package io.knabla.controller.price;

import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/** The prices that come with this program; their sources and licences are in {@code README.md} beside the files. */
public final class BundledPrices {
    /** When the newest on-demand prices were read. */
    public static final Instant NEWEST = BundledInstances.READ_2026;

    private BundledPrices() {}

    /** Reads all files; takes tenths of a second, so keep the book. */
    public static RowBook book() {
        return new RowBook(rows());
    }

    /** Every bundled price, and every average that follows from them. */
    public static List<PriceRow> rows() {
        List<PriceRow.OnDemand> onDemand = BundledInstances.onDemand();
        return Stream.<List<? extends PriceRow>>of(
                        onDemand,
                        BundledInstances.committed(),
                        BundledSpot.averages2024(),
                        BundledSpot.averages2025(onDemand),
                        BundledSpot.history(),
                        BundledServices.lambda(),
                        BundledServices.fargate())
                .<PriceRow>flatMap(List::stream)
                .toList();
    }
}
