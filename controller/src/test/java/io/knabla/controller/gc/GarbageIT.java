package io.knabla.controller.gc;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.kill.PlatformProcess;
import io.knabla.controller.training.FunctionClient;
import io.knabla.storage.ObjectInfo;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.setup.Stores;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests collection through the whole platform: one of two functions with shared weights is deleted and collected; the
 * other, and an earlier version of it, still start with an empty cache.
 */
class GarbageIT {
    private static final Path MODEL = FunctionClient.SAMPLES.resolve("digits").resolve("digits.onnx");
    private static final int DOC_STRING_TAG = 0x32;

    @TempDir
    Path home;

    @TempDir
    Path models;

    @Test
    void startsColdAfterAFunctionWithSharedWeightsWasCollected() throws IOException {
        String digit = request();
        List<String> blobsOfTwo;
        try (var platform = PlatformProcess.start(home)) {
            var functions = new FunctionClient(platform.address());
            deploy(functions, "gone", "gone");
            deploy(functions, "kept", "first");
            deploy(functions, "kept", "second");
            functions.infer("gone", digit);
            blobsOfTwo = blobs();
            functions.knabla("delete", "gone");

            functions.knabla("gc", "--dry-run", "--grace", "0s");
            assertThat(blobs()).isEqualTo(blobsOfTwo);
            functions.knabla("gc", "--grace", "0s");
            assertThat(blobs()).hasSizeLessThan(blobsOfTwo.size()).isNotEmpty();
        }
        forget(home.resolve("cache"));
        try (var platform = PlatformProcess.start(home)) {
            var functions = new FunctionClient(platform.address());
            functions.infer("kept", digit);
            functions.knabla("rollback", "kept");
            functions.infer("kept", digit);
            deploy(functions, "gone", "gone");
            functions.infer("gone", digit);
            assertThat(blobs()).isEqualTo(blobsOfTwo);

            functions.knabla("delete", "gone", "kept");
            functions.knabla("gc", "--grace", "0s");
            assertThat(blobs()).isEmpty();
        }
    }

    /** Deploys the same model under another digest: only its documentation differs. */
    private void deploy(FunctionClient functions, String name, String documentation) throws IOException {
        byte[] note = documentation.getBytes(StandardCharsets.US_ASCII);
        var bytes = new ByteArrayOutputStream();
        bytes.write(Files.readAllBytes(MODEL));
        bytes.write(DOC_STRING_TAG);
        bytes.write(note.length);
        bytes.write(note);
        Path model = Files.write(models.resolve(documentation + ".onnx"), bytes.toByteArray());
        functions.knabla("deploy", name, "--model", model.toString());
    }

    private static String request() throws IOException {
        return Files.readString(MODEL.resolveSibling("request.json"));
    }

    private List<String> blobs() {
        String location = home.resolve("store").toUri().toString();
        try (ObjectStore store = Stores.openToRead(location);
                Stream<ObjectInfo> blobs = store.list(ObjectKind.BLOBS.prefix())) {
            return blobs.map(blob -> blob.key().path()).toList();
        }
    }

    private static void forget(Path folder) throws IOException {
        below(folder).forEach(file -> file.toFile().delete());
        assertThat(below(folder)).isEmpty();
    }

    private static List<Path> below(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile)
                    .sorted(Comparator.reverseOrder())
                    .toList();
        }
    }
}
