package io.knabla.controller.images;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.knabla.controller.images.Image.Layer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Builds images without a registry and reads their OCI archives. */
class ArchiveTest {
    @TempDir
    Path temp;

    @Test
    void sameContentGivesSameDigest() throws IOException {
        assertThat(digest("one", "content")).isEqualTo(digest("two", "content"));
    }

    /** Uses one layer cache, as in a checkout; size, name and time of the file stay the same. */
    @Test
    void changedFileGivesAnotherDigest() throws IOException {
        assertThat(digest("one", "content")).isNotEqualTo(digest("one", "changed"));
    }

    @Test
    void containsUserCommandAndLabels() throws IOException {
        digest("one", "content");

        JsonNode config = config(temp.resolve("one.tar"));

        assertThat(config.path("os").asText()).isEqualTo("linux");
        JsonNode run = config.path("config");
        assertThat(run.path("User").asText()).isEqualTo("65532:65532");
        assertThat(run.path("WorkingDir").asText()).isEqualTo("/knabla");
        assertThat(run.path("Entrypoint")).hasToString("[\"/knabla/run\"]");
        assertThat(run.path("Cmd")).hasToString("[\"serve\"]");
        assertThat(run.path("Env").toString()).contains("A=b");
        assertThat(run.path("ExposedPorts").has("8080/tcp")).isTrue();
        assertThat(run.path("Labels").path("org.opencontainers.image.title").asText())
                .isEqualTo("A test");
        assertThat(run.path("Labels").path("org.opencontainers.image.version").asText())
                .isEqualTo("7");
    }

    private String digest(String name, String content) throws IOException {
        Path tree = new Staging(temp.resolve(name + "-staged"))
                .dependsOn(content)
                .tree(fresh -> {
                    Files.writeString(fresh.resolve("file"), content);
                    Staging.setTimestamps(fresh);
                });
        var image = new Image(
                "test",
                "A test",
                List.of(new Layer("only", tree, List.of(Path.of("file")))),
                List.of("/knabla/run"),
                List.of("serve"),
                Map.of("A", "b"),
                8080);
        var registry = new JibAdapter(
                new BaseImage.Host(),
                Map.of("org.opencontainers.image.version", "7"),
                temp.resolve("jib"),
                false,
                _ -> {});
        return registry.archive(image, temp.resolve(name + ".tar"), _ -> {});
    }

    /** The configuration: the only JSON blob with an operating system. */
    private static JsonNode config(Path archive) throws IOException {
        var found = new ArrayList<JsonNode>();
        try (InputStream in = Files.newInputStream(archive);
                var tar = new TarArchiveInputStream(in)) {
            for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                byte[] bytes = tar.readAllBytes();
                if (bytes.length > 0 && bytes[0] == '{') {
                    JsonNode document = new ObjectMapper().readTree(bytes);
                    if (document.has("os")) {
                        found.add(document);
                    }
                }
            }
        }
        assertThat(found).hasSize(1);
        return found.getFirst();
    }

    @Test
    void fillsTreeOncePerContent() throws IOException {
        var fillings = new ArrayList<Path>();
        for (int i = 0; i < 2; i++) {
            new Staging(temp.resolve("staged")).dependsOn("same").tree(fillings::add);
        }
        new Staging(temp.resolve("staged")).dependsOn("other").tree(fillings::add);

        assertThat(fillings).hasSize(2).doesNotHaveDuplicates();
        assertThat(fillings.getFirst()).doesNotExist();
    }

    @Test
    void refillsIncompleteTree() throws IOException {
        var staging = temp.resolve("staged");
        try {
            new Staging(staging).dependsOn("same").tree(_ -> {
                throw new IOException("disk full");
            });
        } catch (IOException expected) {
            assertThat(expected).hasMessage("disk full");
        }
        var filled = new ArrayList<Path>();
        new Staging(staging).dependsOn("same").tree(filled::add);

        assertThat(filled).hasSize(1);
    }

    /** Because the AOT cache records the time of each jar. */
    @Test
    void setsTimestampsOfTheImage() throws IOException {
        Path file = Files.createDirectories(temp.resolve("tree/lib")).resolve("a.jar");
        Files.writeString(file, "x");
        Staging.setTimestamps(temp.resolve("tree"));

        assertThat(Files.getLastModifiedTime(file)).isEqualTo(FileTime.from(Staging.TIME));
    }
}
