package io.knabla.controller.gc;

import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.catalog.FunctionRecord;
import io.knabla.controller.catalog.StoreCatalog;
import io.knabla.controller.catalog.Version;
import io.knabla.controller.standin.Specs;
import io.knabla.functions.spec.FunctionDefaults;
import io.knabla.functions.unit.Blob;
import io.knabla.functions.unit.Digest;
import io.knabla.functions.unit.GraphManifest;
import io.knabla.functions.unit.GraphManifest.ModelVersion;
import io.knabla.functions.unit.ManifestJson;
import io.knabla.functions.unit.Sha256;
import io.knabla.functions.unit.UnitManifest;
import io.knabla.functions.unit.UnitStore;
import io.knabla.storage.Content;
import io.knabla.storage.ObjectInfo;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.ObjectStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Fills a store with functions in the order of a deploy: models, blobs, units, notes, then the catalog. */
final class StoreFixture {
    final ObjectStore store;
    final StoreCatalog catalog;

    StoreFixture(ObjectStore store) {
        this.store = store;
        this.catalog = new StoreCatalog(store, new Random(1));
    }

    Digest put(ObjectKind kind, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        Digest digest = Sha256.of(bytes);
        write(kind.key(digest), text);
        return digest;
    }

    void write(ObjectKey key, String text) {
        try {
            store.write(key, Content.of(text.getBytes(StandardCharsets.UTF_8)));
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    /** Writes the blobs that do not exist yet, then the manifest. */
    Digest unit(String graph, String... weights) {
        var units = new UnitStore(store);
        List<Blob> blobs = Stream.of(weights).map(text -> blob(units, text)).toList();
        Digest unit = units.write(new GraphManifest(
                GraphManifest.SCHEMA, blob(units, graph), blobs, List.of(), List.of(), false, new ModelVersion(8, 17)));
        note(ObjectKind.ORIGINS.key(unit), Map.of("schema", "1"));
        note(ObjectKind.CHECKS.key(unit), Map.of("schema", "1"));
        return unit;
    }

    private static Blob blob(UnitStore units, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        var blob = new Blob(Sha256.of(bytes), bytes.length);
        units.writeBlob(blob, Content.of(bytes));
        return blob;
    }

    void note(ObjectKey key, Map<String, String> fields) {
        var text = new StringBuilder("{");
        fields.forEach((name, value) -> text.append("\"%s\": \"%s\",".formatted(name, value)));
        write(key, text.append("\"end\": 0}").toString());
    }

    /** Adds a version to the function. */
    Version record(String name, Digest unit, Digest model) {
        return catalog.update(id(name), current -> next(id(name), current, unit, model))
                .latest();
    }

    static FunctionRecord next(FunctionId id, Optional<FunctionRecord> current, Digest unit, Digest model) {
        List<Version> versions =
                new ArrayList<>(current.map(FunctionRecord::versions).orElse(List.of()));
        int number = versions.isEmpty() ? 1 : versions.getLast().number() + 1;
        versions.add(new Version(
                number, FunctionDefaults.inference(model.value()), unit, model, Instant.ofEpochMilli(number)));
        return new FunctionRecord(
                id,
                versions,
                current.map(FunctionRecord::traffic).orElse(List.of()),
                current.map(FunctionRecord::etag).orElse(""));
    }

    static FunctionId id(String name) {
        return Specs.id(name);
    }

    List<String> keys(String prefix) {
        try (Stream<ObjectInfo> objects = store.list(prefix)) {
            return objects.map(object -> object.key().path()).toList();
        }
    }

    /** Objects that versions need and the store lacks; reads the catalog again. */
    List<String> lacking() {
        var fresh = new StoreCatalog(store, new Random(2));
        fresh.refresh();
        List<String> lacking = new ArrayList<>();
        for (FunctionRecord function : fresh.list()) {
            for (Version version : function.versions()) {
                lacking(version.unit())
                        .forEach(what -> lacking.add(
                                "version %d of %s lacks %s".formatted(version.number(), function.id(), what)));
            }
        }
        return lacking;
    }

    /** Blobs that manifests name and the store lacks. */
    List<String> brokenUnits() {
        return keys(ObjectKind.UNITS.prefix()).stream()
                .map(key -> ObjectKind.UNITS.digest(new ObjectKey(key)).orElseThrow())
                .flatMap(unit -> lacking(unit).stream())
                .toList();
    }

    Set<String> neededBlobs() {
        var fresh = new StoreCatalog(store, new Random(2));
        fresh.refresh();
        return fresh.list().stream()
                .flatMap(function -> function.versions().stream())
                .flatMap(version -> blobs(new UnitStore(store).read(version.unit())))
                .map(ObjectKey::path)
                .collect(Collectors.toSet());
    }

    private static Stream<ObjectKey> blobs(UnitManifest manifest) {
        return manifest.files().values().stream().map(blob -> ObjectKind.BLOBS.key(blob.digest()));
    }

    /** Objects of this unit that the store lacks. Reads the manifest once: it may be deleted at any moment. */
    List<String> lacking(Digest unit) {
        return store.read(ObjectKind.UNITS.key(unit))
                .filter(found -> Sha256.of(found.bytes()).equals(unit))
                .map(found -> lacking(ManifestJson.read(found.bytes())))
                .orElseGet(() -> List.of("its unit " + unit));
    }

    private List<String> lacking(UnitManifest manifest) {
        return blobs(manifest)
                .filter(key -> store.stat(key).isEmpty())
                .map(ObjectKey::path)
                .toList();
    }
}
