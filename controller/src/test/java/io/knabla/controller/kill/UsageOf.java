package io.knabla.controller.kill;

import io.knabla.controller.cost.ledger.Usage;
import io.knabla.controller.cost.ledger.UsageReader;
import io.knabla.controller.cost.ledger.parquet.ParquetEngine;
import io.knabla.controller.cost.ledger.segment.LocalSegments;
import io.knabla.controller.cost.usage.RequestMinute;
import io.knabla.controller.cost.usage.Work;
import io.knabla.controller.home.Home;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.setup.Stores;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;

/** Reads what platforms that have ended recorded in a home. */
final class UsageOf {
    private UsageOf() {}

    static Usage home(Path folder) throws IOException {
        Home home = new Home(folder);
        Clock clock = Clock.systemUTC();
        try (ObjectStore store = Stores.open(home.store().toUri().toString());
                var segments = LocalSegments.open(home.usage(), "test", clock, 1 << 20)) {
            return new UsageReader(store, segments, ParquetEngine.duckDb("256MB", 1), home.run())
                    .rows(
                            clock.instant().minus(Duration.ofDays(1)),
                            clock.instant().plus(Duration.ofMinutes(1)));
        }
    }

    /** Work of the minutes of each replica. */
    static Map<String, Work> byReplica(Usage usage) {
        return usage.requests().stream()
                .collect(Collectors.groupingBy(
                        RequestMinute::replica, Collectors.reducing(Work.NONE, RequestMinute::work, Work::plus)));
    }
}
