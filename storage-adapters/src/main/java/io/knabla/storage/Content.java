package io.knabla.storage;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** Bytes to write, of known size; {@link #open} may be called more than once and starts at the first byte. */
public interface Content {
    /** Exactly as many bytes as {@link #open} gives. */
    long size();

    InputStream open() throws IOException;

    /**
     * Whether the key that they are written to names these bytes, as a digest does: whoever writes to it writes the
     * same. A store may then let one writer go on with what another has sent.
     */
    default boolean isNamedByKey() {
        return false;
    }

    /** The same bytes, for a key that names them: {@link #isNamedByKey}. */
    static Content namedByKey(Content content) {
        return new Content() {
            @Override
            public long size() {
                return content.size();
            }

            @Override
            public InputStream open() throws IOException {
                return content.open();
            }

            @Override
            public boolean isNamedByKey() {
                return true;
            }
        };
    }

    static Content of(byte[] bytes) {
        return new Content() {
            @Override
            public long size() {
                return bytes.length;
            }

            @Override
            public InputStream open() {
                return new ByteArrayInputStream(bytes);
            }
        };
    }

    static Content of(Path file) throws IOException {
        long size = Files.size(file);
        return new Content() {
            @Override
            public long size() {
                return size;
            }

            @Override
            public InputStream open() throws IOException {
                return Files.newInputStream(file);
            }
        };
    }
}
