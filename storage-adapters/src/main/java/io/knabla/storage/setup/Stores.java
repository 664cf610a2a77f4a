package io.knabla.storage.setup;

import io.knabla.storage.ForeignObjects;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.file.FileObjectStore;
import io.knabla.storage.memory.MemoryObjectStore;
import io.knabla.storage.s3.S3ForeignObjects;
import io.knabla.storage.s3.S3ObjectStore;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;

/** The only place that picks an adapter: turns the setting {@code KNABLA_STORE} into a store. */
public final class Stores {
    private static final String FILE = "file:";
    private static final String S3 = "s3:";

    private Stores() {}

    public static ObjectStore open(URI location) {
        return open(location.toString());
    }

    /**
     * Opens a store to read and write, making its folder where needed.
     *
     * @param location {@code file:///folder}, {@code s3://bucket/prefix}, or {@code memory:///} for one that ends with
     *     the process
     */
    public static ObjectStore open(String location) {
        return open(location, System.getenv());
    }

    /**
     * As {@link #open(String)}, with other settings than the process's environment.
     *
     * @param environment what reaches a store: {@code KNABLA_S3_ENDPOINT} and the like, by name
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

    /** Opens a store for a process that only reads: nothing is made or swept, so it costs next to nothing. */
    public static ObjectStore openToRead(String location) {
        if (location.startsWith(FILE)) {
            return FileObjectStore.openToRead(folder(location));
        }
        if (location.startsWith(S3)) {
            return new LateStore(location, () -> open(location));
        }
        return open(location);
    }

    /**
     * Other people's objects, wherever the platform's own store is.
     *
     * @param environment as for {@link #open(String, Map)}; its credentials are the ones used
     */
    public static ForeignObjects foreign(Map<String, String> environment) {
        return S3ForeignObjects.open(environment);
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
