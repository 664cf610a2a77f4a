package io.knabla.storage.setup;

import io.knabla.storage.ExternalObjects;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.file.FileObjectStore;
import io.knabla.storage.memory.MemoryObjectStore;
import io.knabla.storage.s3.S3ExternalObjects;
import io.knabla.storage.s3.S3ObjectStore;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;

/** Opens the store at a location such as the setting {@code KNABLA_STORE}; the only class that selects an adapter. */
public final class Stores {
    private static final String FILE = "file:";
    private static final String S3 = "s3:";

    private Stores() {}

    public static ObjectStore open(URI location) {
        return open(location.toString());
    }

    /**
     * Opens a store for reading and writing; creates its folder if absent.
     *
     * @param location {@code file:///folder}, {@code s3://bucket/prefix}, or {@code memory:///} for a store that ends
     *     with the process
     */
    public static ObjectStore open(String location) {
        return open(location, System.getenv());
    }

    /**
     * As {@link #open(String)}, with the given settings instead of the process's environment.
     *
     * @param environment settings such as {@code KNABLA_S3_ENDPOINT}, by name
     */
    public static ObjectStore open(String location, Map<String, String> environment) {
        if (location.startsWith(FILE)) {
            return FileObjectStore.open(folder(location));
        }
        if (location.startsWith(S3)) {
            return S3ObjectStore.open(location, environment);
        }
        if (location.equals("memory:///")) {
            return new MemoryObjectStore();
        }
        throw refused(location);
    }

    /** Opens a store for reading only: creates and sweeps nothing, so opening is nearly free. */
    public static ObjectStore openToRead(String location) {
        if (location.startsWith(FILE)) {
            return FileObjectStore.openToRead(folder(location));
        }
        if (location.startsWith(S3)) {
            return S3ObjectStore.openToRead(location, System.getenv());
        }
        return open(location);
    }

    /**
     * Opens external objects in any bucket, independent of the platform's own store.
     *
     * @param environment as for {@link #open(String, Map)}; also gives the credentials
     */
    public static ExternalObjects external(Map<String, String> environment) {
        return S3ExternalObjects.open(environment);
    }

    private static Path folder(String location) {
        try {
            URI uri = URI.create(location);
            if (uri.getAuthority() == null && uri.getPath() != null) {
                return Path.of(uri);
            }
        } catch (IllegalArgumentException malformed) {
            throw refused(location);
        }
        throw refused(location);
    }

    private static IllegalArgumentException refused(String location) {
        if (location.startsWith("/")) {
            return new IllegalArgumentException(
                    "the store '%s' lacks its scheme; write file://%s".formatted(location, location));
        }
        return new IllegalArgumentException(
                "the store '%s' is not a place Knabla knows; write file:/// and an absolute folder, such as file:///var/lib/knabla, or s3://bucket/prefix"
                        .formatted(location));
    }
}
