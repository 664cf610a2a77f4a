package io.knabla.controller.cli.doctor.store;

import io.knabla.storage.Content;
import io.knabla.storage.ObjectInfo;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.ObjectStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Temporary key prefix in a store, with the operations that the checks do below it. */
record ScratchPrefix(ObjectStore store, ObjectKey root) {
    static final String PREFIX = "doctor";

    ObjectKey key(String name) {
        return ObjectKey.of(root.path(), name);
    }

    String write(ObjectKey key, String text) throws IOException {
        return store.write(key, content(text));
    }

    boolean create(ObjectKey key, String text) throws IOException {
        return store.createOnce(key, content(text)).isPresent();
    }

    boolean replace(ObjectKey key, String etag, String text) throws IOException {
        return store.replaceIfMatch(key, etag, content(text)).isPresent();
    }

    Optional<String> read(ObjectKey key) {
        return store.read(key).map(found -> new String(found.bytes(), StandardCharsets.UTF_8));
    }

    List<ObjectKey> list() {
        try (Stream<ObjectInfo> all = store.list(root.path() + "/")) {
            return all.map(ObjectInfo::key).toList();
        }
    }

    /** Deletes all objects; returns how many are left. */
    int clean() {
        list().forEach(store::delete);
        return list().size();
    }

    private static Content content(String text) {
        return Content.of(text.getBytes(StandardCharsets.UTF_8));
    }
}
