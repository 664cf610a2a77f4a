package io.knabla.runtime.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.OrtSession.SessionOptions;
import io.knabla.functions.unit.Optimization;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Opens valid graphs that the engine's own optimisers break: the second derivative of a 3-D ConvTranspose, and a value
 * whose shape is known and which only a branch of an If with a constant condition reads.
 */
class SessionsTest {
    @ParameterizedTest
    @ValueSource(strings = {"spoiled-by-transposing", "spoiled-by-folding"})
    void opensGraphWithoutTheOptimizer(String name, @TempDir Path folder) throws IOException, OrtException {
        Path graph = graph(name, folder);

        try (OrtSession session = Sessions.open(graph, Optimization.FULL, 0, 1, false)) {
            assertThat(session.getOutputNames()).isNotEmpty();
        }
    }

    /** If this fails, the engine is fixed, and the further attempt in Sessions can be removed. */
    @ParameterizedTest
    @ValueSource(strings = {"spoiled-by-transposing", "spoiled-by-folding"})
    void engineRejectsGraphByDefault(String name, @TempDir Path folder) throws IOException, OrtException {
        Path graph = graph(name, folder);

        try (var options = new SessionOptions()) {
            assertThatThrownBy(() -> Sessions.environment().createSession(graph.toString(), options))
                    .isInstanceOf(OrtException.class);
        }
    }

    private static Path graph(String name, Path folder) throws IOException {
        Path file = folder.resolve("model.onnx");
        try (InputStream in = SessionsTest.class.getResourceAsStream("/engine/" + name + ".onnx")) {
            Files.copy(in, file);
        }
        return file;
    }
}
