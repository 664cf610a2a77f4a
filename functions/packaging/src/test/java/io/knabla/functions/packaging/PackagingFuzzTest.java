package io.knabla.functions.packaging;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.knabla.functions.MemoryStore;
import io.knabla.functions.unit.ManifestJson;
import io.knabla.functions.unit.UnitException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;

/**
 * Targets for a coverage-guided fuzzer, started manually: {@code JAVA_TOOL_OPTIONS=-Djazzer.hooks=true JAZZER_FUZZ=1
 * mvn test -pl functions/packaging -am -Dtest=PackagingFuzzTest#model -Dtest.excluded=
 * -Dsurefire.failIfNoSpecifiedTests=false}. In the suite faults each target runs once per seed, without the fuzzer's
 * hooks, because these would remain in the JVM of the other tests.
 */
@Tag("faults")
class PackagingFuzzTest {
    @FuzzTest(maxDuration = "5m")
    void model(byte[] bytes) throws IOException {
        Path file = Files.createTempFile("fuzz", ".onnx");
        try {
            Files.write(file, bytes);
            Packager.pack(ModelFiles.beside(file), new MemoryStore());
        } finally {
            Files.delete(file);
        }
    }

    @FuzzTest(maxDuration = "5m")
    void manifest(byte[] bytes) {
        try {
            byte[] again = ManifestJson.write(ManifestJson.read(bytes));
            if (!ManifestJson.read(again).equals(ManifestJson.read(bytes))) {
                throw new AssertionError("a manifest changed when it was written again");
            }
        } catch (UnitException refused) {
            // Invalid manifests may only fail with this exception.
        }
    }
}
