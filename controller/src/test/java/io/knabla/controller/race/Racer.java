package io.knabla.controller.race;

import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.catalog.FunctionRecord;
import io.knabla.controller.catalog.StoreCatalog;
import io.knabla.controller.catalog.Version;
import io.knabla.functions.spec.FunctionDefaults;
import io.knabla.functions.unit.Digest;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.StorageException;
import io.knabla.storage.history.Histories;
import io.knabla.storage.history.RecordingStore;
import io.knabla.storage.setup.Stores;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/** Process of one controller in the race: updates one function a given number of times. */
public final class Racer {
    static final FunctionId FUNCTION = new FunctionId("default", "raced");
    static final ObjectKey DOCUMENT = new ObjectKey("catalog/functions/default/raced.json");

    /** Rounds that both racers start together: a delayed racer must not leave the other without a competitor. */
    static final int HEATS = 6;

    private Racer() {}

    /** @param arguments store location, one-letter name, number of updates, file for the history */
    public static void main(String[] arguments) throws IOException {
        String name = arguments[1];
        int updates = Integer.parseInt(arguments[2]);
        try (var store = new RecordingStore(Stores.open(arguments[0], System.getenv()), DOCUMENT, name)) {
            var catalog = new StoreCatalog(store, new SplittableRandom(name.hashCode()));
            warmUp(store);
            System.out.println(System.nanoTime());
            int unknown = 0;
            for (int heat = 0; heat < HEATS && System.in.read() >= 0; heat++) {
                for (int i = updates * heat / HEATS; i < updates * (heat + 1) / HEATS; i++) {
                    unknown += update(catalog, digest(name, i)) ? 0 : 1;
                }
                Histories.write(Path.of(arguments[3]), store.history());
                System.out.println(unknown);
            }
        }
    }

    /** Failures are ignored: the network may lose responses, and a cold JVM is slow. */
    private static void warmUp(ObjectStore store) {
        try {
            store.read(DOCUMENT);
        } catch (StorageException lost) {
            // The JVM is warm all the same.
        }
    }

    /** Returns whether the update is known to have succeeded. */
    private static boolean update(StoreCatalog catalog, Digest unit) {
        try {
            catalog.update(FUNCTION, current -> next(current, unit));
            return true;
        } catch (StorageException maybe) {
            return false;
        }
    }

    /** Uses another unit each time, because equal documents would have equal etags. */
    private static FunctionRecord next(Optional<FunctionRecord> current, Digest unit) {
        int number = current.map(record -> record.latest().number()).orElse(0) + 1;
        var version = new Version(number, FunctionDefaults.inference(unit.value()), unit, unit, Instant.EPOCH);
        return new FunctionRecord(FUNCTION, List.of(version), List.of(), "");
    }

    private static Digest digest(String name, int update) {
        String number = HexFormat.of().toHexDigits(update);
        return new Digest("sha256:" + name.repeat(64 - number.length()) + number);
    }
}
