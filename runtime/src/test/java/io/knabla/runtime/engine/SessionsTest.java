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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Opens a valid graph (second derivative of a 3-D ConvTranspose) that the engine's own optimiser breaks. */
class SessionsTest {
    @Test
    void opensGraphWithoutTransposeOptimizer(@TempDir Path folder) throws IOException, OrtException {
        Path graph = graph(folder);

        try (OrtSession session = Sessions.open(graph, Optimization.FULL, 0, 1, false)) {
            assertThat(session.getOutputNames()).isNotEmpty();
        }
    }

    /** If this fails, the engine is fixed, and the second attempt in Sessions can be removed. */
    @Test
    void engineRejectsGraphByDefault(@TempDir Path folder) throws IOException, OrtException {
        Path graph = graph(folder);

        try (var options = new SessionOptions()) {
            assertThatThrownBy(() -> Sessions.environment().createSession(graph.toString(), options))
                    .isInstanceOf(OrtException.class);
        }
    }

    private static Path graph(Path folder) throws IOException {
        Path file = folder.resolve("model.onnx");
        try (InputStream in = SessionsTest.class.getResourceAsStream("/engine/spoiled-by-transposing.onnx")) {
            Files.copy(in, file);
        }
        return file;
    }
}
