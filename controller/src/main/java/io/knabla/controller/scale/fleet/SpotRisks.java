package io.knabla.controller.scale.fleet;

import static java.lang.System.Logger.Level.WARNING;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.config.Lifecycle;
import io.knabla.controller.spot.live.VersionFleet;
import io.knabla.controller.spot.policy.FleetRisk;
import io.knabla.storage.Content;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.StorageException;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Keeps what the spot policies have learned of the zones, by function, in one object of the store: it survives restarts
 * and changes of leader. Of controllers that share a store the last write counts.
 */
public final class SpotRisks implements Lifecycle {
    static final ObjectKey KEY = new ObjectKey("spot/risks");
    static final Duration SAVE_EVERY = Duration.ofMinutes(1);

    /** Older experience counts for nothing: policies halve it each day. */
    private static final Duration KEPT = Duration.ofDays(30);

    private static final Duration LAST_SAVE = Duration.ofSeconds(10);
    private static final int VERSION = 2;

    /** It told no losses in part from those of whole zones. */
    private static final int VERSION_WITHOUT_PARTS = 1;

    private static final System.Logger LOG = System.getLogger(SpotRisks.class.getName());
    private static final ObjectMapper JSON =
            new ObjectMapper().registerModule(new Jdk8Module()).registerModule(new JavaTimeModule());

    private final ObjectStore store;
    private final InstantSource clock;

    /** Empty until the first question, which reads the store. */
    private Optional<Map<String, FleetRisk>> risks = Optional.empty();

    private boolean changed;
    private Instant lastSave = Instant.MIN;
    private Thread saving = Thread.ofVirtual().unstarted(() -> {});

    private record Document(int version, Map<String, FleetRisk> functions) {
        boolean isReadable() {
            return (version == VERSION || version == VERSION_WITHOUT_PARTS) && functions != null;
        }

        Map<String, FleetRisk> known() {
            Map<String, FleetRisk> known = new TreeMap<>(functions);
            if (version == VERSION_WITHOUT_PARTS) {
                known.replaceAll((_, risk) -> risk.withoutCorrelations());
            }
            return known;
        }
    }

    public SpotRisks(ObjectStore store, InstantSource clock) {
        this.store = store;
        this.clock = clock;
    }

    @Override
    public void start() {}

    /** Shared by the versions of the function. */
    public VersionFleet.Memory of(FunctionId function) {
        return new VersionFleet.Memory() {
            @Override
            public Optional<FleetRisk> recall() {
                return SpotRisks.this.recall(function);
            }

            @Override
            public void keep(FleetRisk learned) {
                SpotRisks.this.keep(function, learned);
            }
        };
    }

    private synchronized Optional<FleetRisk> recall(FunctionId function) {
        return Optional.ofNullable(all().get(function.toString()));
    }

    private synchronized void keep(FunctionId function, FleetRisk learned) {
        all().put(function.toString(), learned);
        changed = true;
        Instant now = clock.instant();
        // One write at a time, since an older one that ends last would undo a newer one.
        if (!now.isBefore(lastSave.plus(SAVE_EVERY)) && !saving.isAlive()) {
            lastSave = now;
            Map<String, FleetRisk> current = current(now);
            saving = Thread.startVirtualThread(() -> write(current));
        }
    }

    /** Another controller decides from now on: what it learns is read before this one decides again. */
    public synchronized void forget() {
        risks = Optional.empty();
        changed = false;
    }

    private Map<String, FleetRisk> all() {
        if (risks.isEmpty()) {
            risks = Optional.of(new TreeMap<>(read()));
            lastSave = clock.instant();
        }
        return risks.get();
    }

    private Map<String, FleetRisk> current(Instant now) {
        Map<String, FleetRisk> current = new TreeMap<>(all());
        current.values()
                .removeIf(risk ->
                        risk.at().filter(at -> at.plus(KEPT).isAfter(now)).isEmpty());
        return current;
    }

    private Map<String, FleetRisk> read() {
        try {
            var stored = store.read(KEY);
            if (stored.isEmpty()) {
                return Map.of();
            }
            Document document = JSON.readValue(stored.get().bytes(), Document.class);
            if (document != null && document.isReadable()) {
                return document.known();
            }
            LOG.log(WARNING, "spot policies start without experience: {0} is empty or of another version", KEY.path());
        } catch (JsonProcessingException damaged) {
            // Its message has lines about where in a stream of bytes.
            unreadable(damaged.getOriginalMessage());
        } catch (IOException | StorageException failed) {
            unreadable(failed.getMessage());
        }
        return Map.of();
    }

    private void unreadable(String why) {
        LOG.log(
                WARNING,
                "spot policies start without experience: {0} in {1} cannot be read: {2}",
                KEY.path(),
                store.location(),
                why);
    }

    /** Lost experience costs money, not data, so a failure is only logged. */
    private void write(Map<String, FleetRisk> current) {
        try {
            store.write(KEY, Content.of(JSON.writeValueAsBytes(new Document(VERSION, current))));
        } catch (IOException | StorageException failed) {
            LOG.log(WARNING, "what spot policies have learned is not stored: {0}", failed.getMessage());
        }
    }

    @Override
    public void close() {
        try {
            if (saving.isAlive()) {
                saving.join(LAST_SAVE);
            }
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
            return;
        }
        writeIfChanged();
    }

    private synchronized void writeIfChanged() {
        if (changed) {
            write(current(clock.instant()));
        }
    }
}
