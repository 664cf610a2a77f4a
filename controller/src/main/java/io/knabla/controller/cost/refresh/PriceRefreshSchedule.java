package io.knabla.controller.cost.refresh;

import io.knabla.controller.config.Lifecycle;
import io.knabla.controller.config.PeriodicTask;
import io.knabla.controller.config.Settings;
import io.knabla.controller.config.Settings.PriceRefreshSettings;
import io.knabla.controller.cost.aws.AwsPrices;
import io.knabla.controller.cost.aws.AwsScope;
import io.knabla.controller.cost.ledger.UsageReader;
import io.knabla.controller.cost.ledger.row.RecordKind;
import io.knabla.controller.cost.pricelist.PriceRefresher;
import io.knabla.controller.usage.NodeInterval;
import io.knabla.storage.ObjectStore;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Refreshes prices every {@code priceRefresh.every}; without it nothing is asked. Every controller looks about once an
 * hour, at random times, whether the last refresh by any of them is so long ago. Two that refresh at once write the
 * same.
 */
@Singleton
public final class PriceRefreshSchedule implements Lifecycle {
    private static final System.Logger LOG = System.getLogger(PriceRefreshSchedule.class.getName());
    private static final Duration FIRST = Duration.ofMinutes(2);
    private static final Duration PAUSE = Duration.ofHours(1);

    /** Nodes that ended longer ago are asked for no more; AWS keeps spot prices as long. */
    private static final Duration USED = Duration.ofDays(90);

    /** Asks the providers once. */
    @FunctionalInterface
    interface Providers {
        PriceRefresher.Refresh refresh(PriceRefresher refresher) throws IOException;
    }

    private final Optional<Duration> every;
    private final PriceRefresher refresher;
    private final Providers providers;
    private final Clock clock;
    private final RandomGenerator random;
    private final PeriodicTask task = new PeriodicTask("knabla-prices", "refresh prices", this::refreshIfDue);

    @Inject
    PriceRefreshSchedule(
            Settings settings, ObjectStore store, Instance<UsageReader> usage, Clock clock, RandomGenerator random) {
        this(
                settings.priceRefresh().every(),
                new PriceRefresher(store, clock),
                refresher -> refresh(refresher, settings.priceRefresh(), nodes(usage.get(), clock.instant())),
                clock,
                random);
    }

    /** @param every empty if prices are not refreshed */
    PriceRefreshSchedule(
            Optional<Duration> every,
            PriceRefresher refresher,
            Providers providers,
            Clock clock,
            RandomGenerator random) {
        this.every = every;
        this.refresher = refresher;
        this.providers = providers;
        this.clock = clock;
        this.random = random;
    }

    private static List<NodeInterval> nodes(UsageReader usage, Instant now) throws IOException {
        return usage.rows(now.minus(USED), now, EnumSet.of(RecordKind.NODE)).nodes();
    }

    private static PriceRefresher.Refresh refresh(
            PriceRefresher refresher, PriceRefreshSettings settings, List<NodeInterval> nodes) {
        AwsScope scope = AwsScope.of(
                nodes,
                settings.regions().orElse(List.of()),
                settings.instanceTypes().orElse(List.of()));
        try (AwsPrices aws = new AwsPrices()) {
            return refresher.refresh(aws.sources(scope));
        }
    }

    @Override
    public void start() {
        if (every.isPresent()) {
            task.start(jittered(FIRST), () -> jittered(PAUSE));
        }
    }

    private Duration jittered(Duration about) {
        return Duration.ofMillis((long) (about.toMillis() * random.nextDouble(0.5, 1.5)));
    }

    /** Refreshes if the last refresh is as long ago as {@code every}; returns whether it was. */
    boolean refreshIfDue() throws IOException {
        Instant now = clock.instant();
        if (every.isEmpty()
                || refresher
                        .last()
                        .filter(last -> last.at().plus(every.get()).isAfter(now))
                        .isPresent()) {
            return false;
        }
        PriceRefresher.Refresh done = providers.refresh(refresher);
        LOG.log(
                done.failures().isEmpty() ? System.Logger.Level.INFO : System.Logger.Level.WARNING,
                "asked for {0} prices{1}",
                done.prices(),
                done.failures().isEmpty() ? "" : "; " + String.join("; ", done.failures()));
        return true;
    }

    @Override
    public void close() {
        task.close();
    }
}
