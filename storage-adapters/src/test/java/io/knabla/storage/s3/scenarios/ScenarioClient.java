package io.knabla.storage.s3.scenarios;

import io.knabla.storage.ByteRange;
import io.knabla.storage.ObjectInfo;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.StorageException;
import io.knabla.storage.history.Call;
import io.knabla.storage.history.Call.Outcome;
import io.knabla.storage.history.Operation;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/**
 * Performs steps on its own store instance and records the results. A write with an exception may have taken effect; a
 * read with an exception is ignored.
 */
final class ScenarioClient {
    private record Known(String etag, String value) {}

    private interface Writing {
        Optional<String> attempt() throws IOException;
    }

    private interface Acting {
        Call with(Outcome outcome);
    }

    private final String name;
    private final ObjectStore store;
    private final ObservationLog witness;
    private final LongSupplier clock;
    private final Map<String, Known> newest = new HashMap<>();
    private final Map<String, Known> stale = new HashMap<>();
    private int written;

    ScenarioClient(String name, ObjectStore store, ObservationLog witness, LongSupplier clock) {
        this.name = name;
        this.store = store;
        this.witness = witness;
        this.clock = clock;
    }

    void perform(Step step) throws IOException {
        String key = "k" + step.key();
        switch (step.verb()) {
            case WRITE -> write(key, step.size());
            case CREATE -> create(key, step.size());
            case REPLACE -> replace(key, step.size(), newest);
            case REPLACE_STALE -> replace(key, step.size(), stale);
            case DELETE -> delete(key);
            case READ -> read(key);
            case STAT -> stat(key);
            case RANGE -> range(key, step.size());
            case LIST -> list();
        }
    }

    private void write(String key, int size) throws IOException {
        String value = next(size);
        attempt(
                key,
                value,
                () -> Optional.of(store.write(new ObjectKey(key), Values.content(value))),
                outcome -> new Call.Write(value, outcome));
    }

    private void create(String key, int size) throws IOException {
        String value = next(size);
        attempt(
                key,
                value,
                () -> store.createOnce(new ObjectKey(key), Values.content(value)),
                outcome -> new Call.Swap(Values.ABSENT, value, outcome));
    }

    private void replace(String key, int size, Map<String, Known> from) throws IOException {
        Known known = from.get(key);
        if (known == null) {
            read(key);
            return;
        }
        String value = next(size);
        attempt(
                key,
                value,
                () -> store.replaceIfMatch(new ObjectKey(key), known.etag(), Values.content(value)),
                outcome -> new Call.Swap(known.value(), value, outcome));
    }

    /** Replaces the current version, as a writer that interferes with another write. */
    void interfere(String key) throws IOException {
        read(key);
        replace(key, Values.recognisable(), newest);
    }

    private void delete(String key) throws IOException {
        attempt(
                key,
                Values.ABSENT,
                () -> {
                    store.delete(new ObjectKey(key));
                    return Optional.of("");
                },
                outcome -> new Call.Write(Values.ABSENT, outcome));
    }

    private void attempt(String key, String value, Writing writing, Acting acting) throws IOException {
        long invoked = clock.getAsLong();
        Outcome outcome = Outcome.UNKNOWN;
        try {
            Optional<String> etag = writing.attempt();
            outcome = etag.isPresent() ? Outcome.WON : Outcome.LOST;
            etag.filter(text -> !text.isEmpty()).ifPresent(text -> learn(key, text, value));
        } catch (StorageException maybe) {
            // The outcome is unknown: the case under test.
        } finally {
            note(key, acting.with(outcome), invoked);
        }
    }

    void read(String key) {
        long invoked = clock.getAsLong();
        try {
            var read = store.read(new ObjectKey(key));
            String value = read.map(object -> Values.recognised(object.bytes())).orElse("");
            read.ifPresent(object -> learn(key, object.etag(), value));
            note(key, new Call.Read(value), invoked);
        } catch (StorageException nothing) {
            // A failed read gives no information.
        }
    }

    private void stat(String key) {
        long invoked = clock.getAsLong();
        try {
            Optional<ObjectInfo> info = store.stat(new ObjectKey(key));
            if (info.isEmpty()) {
                note(key, new Call.Read(Values.ABSENT), invoked);
            } else {
                saw(info.get(), invoked);
            }
        } catch (StorageException nothing) {
            // As above.
        }
    }

    /** Ignores an etag that no client has read yet: its value is unknown. */
    private void saw(ObjectInfo info, long invoked) {
        String key = info.key().path();
        witness.value(key, info.etag()).ifPresent(value -> {
            int size = Values.bytes(value).length;
            if (info.size() != size) {
                throw new AssertionError("%s of %s, which has %d bytes".formatted(info, value, size));
            }
            note(key, new Call.Read(value), invoked);
        });
    }

    private void range(String key, int offset) {
        long invoked = clock.getAsLong();
        var range = new ByteRange(offset, Values.recognisable() + offset);
        try (InputStream in = store.open(new ObjectKey(key), range).orElse(null)) {
            if (in == null) {
                note(key, new Call.Read(Values.ABSENT), invoked);
                return;
            }
            byte[] part = in.readAllBytes();
            if (part.length >= Values.recognisable()) {
                note(key, new Call.Read(Values.recognised(part, offset)), invoked);
            }
        } catch (StorageException | IOException nothing) {
            // As above; a stream throws IOException.
        }
    }

    /** Returns the listing; empty if it failed. */
    Optional<List<ObjectInfo>> list() {
        long invoked = clock.getAsLong();
        List<ObjectInfo> infos;
        try (Stream<ObjectInfo> stream = store.list("")) {
            infos = stream.toList();
        } catch (StorageException nothing) {
            return Optional.empty();
        }
        infos.forEach(info -> saw(info, invoked));
        for (int i = 0; i < Step.KEYS; i++) {
            String key = "k" + i;
            if (infos.stream().noneMatch(info -> info.key().path().equals(key))) {
                note(key, new Call.Read(Values.ABSENT), invoked);
            }
        }
        return Optional.of(infos);
    }

    private void learn(String key, String etag, String value) {
        witness.recordEtag(key, etag, value);
        Known before = newest.put(key, new Known(etag, value));
        if (before != null && !before.etag().equals(etag)) {
            stale.put(key, before);
        }
    }

    private void note(String key, Call act, long invoked) {
        witness.add(key, new Operation(name, act, invoked, clock.getAsLong()));
    }

    private String next(int size) {
        return Values.name(name, ++written, size);
    }
}
