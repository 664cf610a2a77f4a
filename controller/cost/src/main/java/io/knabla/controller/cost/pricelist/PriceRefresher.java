package io.knabla.controller.cost.pricelist;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import io.knabla.controller.price.ParsedRows;
import io.knabla.controller.price.PriceRow;
import io.knabla.storage.Content;
import io.knabla.storage.ObjectInfo;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.StorageException;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.stream.Stream;

/**
 * Asks sources one after another and adds their prices to the store. What fails is named and keeps its old prices.
 * Several controllers may do it at once: the files are the same afterwards.
 */
public final class PriceRefresher {
    private static final ObjectKey LAST = new ObjectKey(PriceFiles.PREFIX + "refreshed.json");

    /** The last files of a history are enough to go on from. */
    private static final int FILES_READ = 4;

    /** Problems of one source that are named. */
    private static final int MAX_PROBLEMS = 20;

    private final ObjectStore store;
    private final PriceFiles files;
    private final InstantSource clock;

    public PriceRefresher(ObjectStore store, InstantSource clock) {
        this.store = store;
        this.files = new PriceFiles(store);
        this.clock = clock;
    }

    /**
     * A refresh and what came of it.
     *
     * @param at when it began
     * @param prices how many the sources answered with
     * @param failures one sentence each: what is not refreshed, or not completely, and why
     */
    public record Refresh(Instant at, int prices, List<String> failures) {
        public Refresh {
            failures = List.copyOf(failures);
        }
    }

    /** The last one, by any controller of this store; empty if there was none or its record cannot be read. */
    public Optional<Refresh> last() {
        return store.read(LAST).flatMap(object -> {
            try {
                return Optional.of(PriceLine.JSON.readValue(object.bytes(), Refresh.class));
            } catch (IOException _) {
                return Optional.empty();
            }
        });
    }

    /**
     * Asks all sources and records what came of it.
     *
     * @throws io.knabla.storage.StorageException if the store fails
     * @throws java.util.concurrent.CancellationException if the thread is interrupted between two sources
     */
    public Refresh refresh(List<? extends PriceSource> sources) {
        Instant start = clock.instant();
        int prices = 0;
        List<String> failures = new ArrayList<>();
        for (PriceSource source : sources) {
            List<String> problems = new ArrayList<>();
            try {
                prices += refresh(source, problems);
            } catch (StorageException outage) {
                throw outage;
            } catch (RuntimeException failed) {
                problems.add("old prices stay: " + failed.getMessage());
            }
            if (Thread.currentThread().isInterrupted()) {
                throw new CancellationException("the refresh of prices was stopped");
            }
            Stream<String> named = problems.stream().limit(MAX_PROBLEMS);
            Stream<String> others = problems.size() > MAX_PROBLEMS
                    ? Stream.of("%d more problems".formatted(problems.size() - MAX_PROBLEMS))
                    : Stream.empty();
            Stream.concat(named, others)
                    .map(problem -> "%s in %s: %s".formatted(source.name(), source.region(), problem))
                    .forEach(failures::add);
        }
        return record(new Refresh(start, prices, failures));
    }

    private Refresh record(Refresh done) {
        try {
            store.write(LAST, Content.of(PriceLine.JSON.writeValueAsBytes(done)));
            return done;
        } catch (IOException impossible) {
            throw new IllegalStateException("cannot write " + done, impossible);
        }
    }

    private int refresh(PriceSource source, List<String> problems) {
        Instant now = clock.instant();
        ParsedRows answer = PriceHistory.withoutContradictions(source.fetch(stored(source), now));
        problems.addAll(answer.faults());
        Map<ObjectKey, List<PriceRow>> byFile =
                answer.rows().stream().collect(groupingBy(row -> PriceFiles.key(source, row), TreeMap::new, toList()));
        byFile.forEach((key, rows) -> problems.addAll(files.add(key, rows)));
        return answer.rows().size();
    }

    private List<PriceRow> stored(PriceSource source) {
        List<ObjectInfo> all = files.list(source);
        return all.subList(Math.max(0, all.size() - FILES_READ), all.size()).stream()
                .flatMap(file -> files.read(file.key()).rows().stream())
                .toList();
    }
}
