package io.knabla.controller.cli.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import io.knabla.controller.cli.print.Documents;
import io.knabla.storage.ObjectInfo;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.StoredObject;
import java.io.IOException;
import java.util.stream.Stream;

/** Counts the functions in a store's catalog. */
final class StoredFunctions {
    private static final String DOCUMENTS = "catalog/functions/";

    /** Bytes; what is left of a deleted function has its names alone, of at most 63 letters each. */
    private static final int LONGEST_TOMBSTONE = 512;

    private StoredFunctions() {}

    /** Reads only documents that are short enough to be those of deleted functions. */
    static long count(ObjectStore store) {
        try (Stream<ObjectInfo> documents = store.list(DOCUMENTS)) {
            return documents
                    .filter(document -> document.size() > LONGEST_TOMBSTONE || isThere(store, document))
                    .count();
        }
    }

    private static boolean isThere(ObjectStore store, ObjectInfo document) {
        return store.read(document.key())
                .map(StoredFunctions::parse)
                .filter(content -> !content.path("deleted").asBoolean(false))
                .isPresent();
    }

    private static JsonNode parse(StoredObject document) {
        try {
            return Documents.JSON.readTree(document.bytes());
        } catch (IOException damaged) {
            // Still a function, which the platform reports as damaged.
            return Documents.JSON.missingNode();
        }
    }
}
