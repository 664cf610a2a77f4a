package io.knabla.controller.gc;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.knabla.controller.catalog.CatalogException;
import io.knabla.controller.catalog.StoreCatalog;
import io.knabla.controller.gc.StoreSnapshot.Contents;
import io.knabla.functions.unit.Blob;
import io.knabla.functions.unit.Digest;
import io.knabla.functions.unit.UnitException;
import io.knabla.functions.unit.UnitManifest;
import io.knabla.functions.unit.UnitStore;
import io.knabla.storage.ObjectInfo;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.ObjectStore;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Reads the state of a store in the order that makes collection safe: object names, then the catalog, then the units
 * that matter.
 */
final class SnapshotReader {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String CATALOG = "catalog/";
    private static final String FUNCTION = "catalog/functions/[^/]+/[^/]+\\.json";

    /** Result of reading a store. */
    sealed interface ReadResult {
        record Complete(StoreSnapshot evidence) implements ReadResult {}

        /** The catalog contains unreadable documents, which may reference any object. */
        record Unclear(String sentence) implements ReadResult {}
    }

    private final ObjectStore store;
    private final StoreClock clock;
    private final RandomGenerator random;
    private final Parallel parallel;

    SnapshotReader(ObjectStore store, StoreClock clock, RandomGenerator random, Parallel crew) {
        this.store = store;
        this.clock = clock;
        this.random = random;
        this.parallel = crew;
    }

    ReadResult read(Duration grace) {
        Instant now = clock.now();
        List<ObjectInfo> objects = new ArrayList<>();
        for (ObjectKind kind : ObjectKind.values()) {
            objects.addAll(list(kind.prefix()));
        }
        // A new instance: the cache of this controller's catalog may be a second old.
        var catalog = new StoreCatalog(store, random);
        catalog.refresh();
        List<String> unclear = Stream.concat(
                        catalog.troubles().stream().map(CatalogException::getMessage), unknownDocuments().stream())
                .toList();
        if (!unclear.isEmpty()) {
            return new ReadResult.Unclear(
                    "nothing was collected, because parts of the catalog cannot be read and may reference any object: "
                            + String.join("; ", unclear));
        }
        References needs = References.of(catalog.list());
        Map<ObjectKey, Digest> pointers = pointers(objects);
        RootUnits roots = RootUnits.of(needs, objects, pointers, now, grace);
        return new ReadResult.Complete(
                new StoreSnapshot(now, grace, objects, needs, pointers, extraFiles(roots, objects), contents(roots)));
    }

    private List<String> unknownDocuments() {
        return list(CATALOG).stream()
                .map(object -> object.key().path())
                .filter(path -> !path.matches(FUNCTION))
                .map(path -> "'%s' is not a catalog document that this version of Knabla knows".formatted(path))
                .toList();
    }

    private List<ObjectInfo> list(String prefix) {
        try (Stream<ObjectInfo> objects = store.list(prefix)) {
            return objects.toList();
        }
    }

    private Map<ObjectKey, Digest> pointers(List<ObjectInfo> objects) {
        Map<ObjectKey, Digest> pointers = new ConcurrentHashMap<>();
        parallel.each(
                objects.stream().map(ObjectInfo::key).toList(),
                key -> ObjectKind.of(key)
                        .flatMap(ObjectKind::pointer)
                        .flatMap(field -> field(key, field))
                        .ifPresent(digest -> pointers.put(key, digest)));
        return pointers;
    }

    private Optional<Digest> field(ObjectKey key, String field) {
        return document(key).flatMap(note -> digest(note.path(field).asText()));
    }

    private Map<Digest, Set<Digest>> extraFiles(RootUnits roots, List<ObjectInfo> objects) {
        Set<ObjectKey> there = objects.stream().map(ObjectInfo::key).collect(Collectors.toSet());
        Map<Digest, Set<Digest>> further = new ConcurrentHashMap<>();
        parallel.each(
                roots.needed().stream()
                        .filter(unit -> there.contains(ObjectKind.ORIGINS.key(unit)))
                        .toList(),
                unit -> document(ObjectKind.ORIGINS.key(unit)).ifPresent(origin -> further.put(unit, files(origin))));
        return further;
    }

    private static Set<Digest> files(JsonNode origin) {
        Set<Digest> files = new HashSet<>();
        digest(origin.path("model").asText()).ifPresent(files::add);
        origin.path("files").forEach(file -> digest(file.asText()).ifPresent(files::add));
        return files;
    }

    private Map<Digest, Contents> contents(RootUnits roots) {
        Map<Digest, Contents> contents = new ConcurrentHashMap<>();
        parallel.each(
                Stream.concat(roots.needed().stream(), roots.young().stream()).toList(),
                unit -> contents.put(unit, contents(unit)));
        return contents;
    }

    private Contents contents(Digest unit) {
        try {
            return new Contents.Blobs(blobs(new UnitStore(store).read(unit)));
        } catch (UnitException unusable) {
            return new Contents.Unreadable(unusable.getMessage());
        }
    }

    private static Set<Digest> blobs(UnitManifest manifest) {
        return manifest.files().values().stream().map(Blob::digest).collect(Collectors.toSet());
    }

    /** Notes are optional: a damaged note counts as missing. */
    private Optional<JsonNode> document(ObjectKey key) {
        return store.read(key).flatMap(object -> {
            try {
                return Optional.ofNullable(JSON.readTree(object.bytes()));
            } catch (IOException damaged) {
                return Optional.empty();
            }
        });
    }

    private static Optional<Digest> digest(String text) {
        try {
            return Optional.of(new Digest(text));
        } catch (IllegalArgumentException none) {
            return Optional.empty();
        }
    }
}
