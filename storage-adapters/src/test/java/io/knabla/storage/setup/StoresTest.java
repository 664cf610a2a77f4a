package io.knabla.storage.setup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.knabla.storage.Content;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.ObjectStore;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests how {@link Stores} selects an adapter by location, and its messages for invalid locations. */
class StoresTest {
    @TempDir
    Path folder;

    @Test
    void locationReopensTheSameFolder() throws IOException {
        Path home = Files.createDirectories(folder.resolve("my store")).resolve("deep");
        ObjectKey key = ObjectKey.of("a");
        try (ObjectStore store = Stores.open(home.toUri())) {
            store.write(key, Content.of(new byte[] {7}));
            assertThat(store.location()).startsWith("file:///").endsWith("/my%20store/deep");
            try (ObjectStore again = Stores.open(store.location())) {
                assertThat(again.read(key).orElseThrow().bytes()).containsExactly(7);
            }
        }
    }

    @Test
    void opensAMemoryStore() {
        try (ObjectStore store = Stores.open(URI.create("memory:///"))) {
            assertThat(store.location()).isEqualTo("memory:///");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            s3://B/prefix      | is not a place in S3; write s3://bucket or s3://bucket/prefix
            /var/lib/knabla    | lacks its scheme; write file:///var/lib/knabla
            file://host/folder | write file:/// and an absolute folder
            file:relative      | write file:/// and an absolute folder
            file:///a b        | write file:/// and an absolute folder
            gs://bucket        | the store 'gs://bucket' is not a place Knabla knows
            ``                 | is not a place Knabla knows
            """)
    void explainsInvalidLocations(String location, String message) {
        assertThatThrownBy(() -> Stores.open(location))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
        // An S3 store for reading is opened on first use.
        assertThatThrownBy(() -> Stores.openToRead(location).stat(ObjectKey.of("a")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }
}
