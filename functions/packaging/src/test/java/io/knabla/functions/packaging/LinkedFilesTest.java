package io.knabla.functions.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests which symbolic links beside a model are followed, in a cache as huggingface_hub writes it. */
class LinkedFilesTest {
    @TempDir
    Path temporary;

    private Path cache;
    private Path snapshot;

    @BeforeEach
    void layOut() throws IOException {
        Path root = temporary.toRealPath();
        Files.writeString(root.resolve("secret"), "not given");
        cache = root.resolve("models--org--name");
        snapshot = Files.createDirectories(cache.resolve("snapshots/abc/onnx"));
        Files.writeString(Files.createDirectories(cache.resolve("blobs")).resolve("aaa"), "the model");
        Files.writeString(cache.resolve("blobs/bbb"), "its weights");
        Files.writeString(Files.createDirectories(cache.resolve("refs")).resolve("main"), "abc");
        Files.createSymbolicLink(snapshot.resolve("model.onnx"), Path.of("../../../blobs/aaa"));
    }

    @ParameterizedTest(name = "to {0}: {1}")
    @CsvSource({
        "../../../blobs/bbb,            true",
        "../../../blobs/none,           false",
        "../../../blobs,                false",
        "../../../refs/main,            false",
        "../../../blobs/../refs/main,   false",
        "../../../../secret,            false",
        "/etc/passwd,                   false"
    })
    void aLinkOfASnapshotLeadsToABlob(String target, boolean followed) throws IOException {
        Files.createSymbolicLink(snapshot.resolve("model.onnx_data"), Path.of(target));

        assertThat(ModelFiles.beside(snapshot.resolve("model.onnx"))
                        .externalData()
                        .apply("model.onnx_data")
                        .isPresent())
                .isEqualTo(followed);
    }

    @Test
    void noChainOfLinksLeadsOut() throws IOException {
        Files.createSymbolicLink(cache.resolve("blobs/ccc"), Path.of("../../secret"));
        Files.createSymbolicLink(snapshot.resolve("model.onnx_data"), Path.of("../../../blobs/ccc"));

        assertThat(ModelFiles.beside(snapshot.resolve("model.onnx"))
                        .externalData()
                        .apply("model.onnx_data"))
                .isEmpty();
    }

    @Test
    void aLinkInPlaceOfTheBlobsIsNotFollowed() throws IOException {
        Path elsewhere = Files.createDirectories(temporary.resolve("fake/snapshots/abc"));
        Files.createSymbolicLink(temporary.resolve("fake/blobs"), cache.resolve("blobs"));
        Files.writeString(elsewhere.resolve("model.onnx"), "the model");
        Files.createSymbolicLink(elsewhere.resolve("model.onnx_data"), Path.of("../../blobs/bbb"));

        assertThat(ModelFiles.beside(elsewhere.resolve("model.onnx"))
                        .externalData()
                        .apply("model.onnx_data"))
                .isEmpty();
    }

    @ParameterizedTest(name = "to {0}: {1}")
    @CsvSource({"shared/weights, true", "shared/more/weights, true", "secret, false"})
    void aLinkLeadsToWhatLiesBesideTheModelThatIsLinkedToo(String target, boolean followed) throws IOException {
        Path shared = Files.createDirectories(temporary.resolve("shared/more")).getParent();
        Files.writeString(shared.resolve("model.onnx"), "the model");
        Files.writeString(shared.resolve("weights"), "its weights");
        Files.writeString(shared.resolve("more/weights"), "its weights");
        Path links = Files.createDirectories(temporary.resolve("links"));
        Files.createSymbolicLink(links.resolve("model.onnx"), shared.resolve("model.onnx"));
        Files.createSymbolicLink(links.resolve("weights"), temporary.resolve(target));

        assertThat(ModelFiles.beside(links.resolve("model.onnx"))
                        .externalData()
                        .apply("weights")
                        .isPresent())
                .isEqualTo(followed);
    }
}
