package io.knabla.runtime.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.functions.Onnx;
import io.knabla.runtime.assemble.ReplicaProcess;
import io.knabla.runtime.units.TestUnit;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Gradients and training steps on ONNX Runtime's real CUDA provider: all of their graphs load and run there. */
@Timeout(120)
class UnitsOnFakeCuda {
    private static final String GRADIENT = """
            type: Gradient
            gradient:
              loss: {output: y, function: MSE, target: t}
              withRespectTo: [parameters, inputs]
            """;

    private static final String STEP = """
            type: TrainingStep
            gradient:
              loss: {output: y, function: MSE, target: t}
              withRespectTo: [parameters]
              optimizer: {type: Momentum, learningRate: 0.001}
            """;

    private FakeCuda fake;

    @BeforeEach
    void open() throws IOException {
        fake = FakeCuda.open();
    }

    @AfterEach
    void close() throws IOException {
        fake.close();
    }

    private void assertChecked(TestUnit unit) throws IOException, InterruptedException {
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "@" + Path.of("target/replica/replica.args").toAbsolutePath(),
                "check");
        Map<String, String> environment = fake.replica(unit.environment());
        try (unit;
                var check = new ReplicaProcess(command, environment)) {
            assertThat(check.event()).startsWith("{\"event\":\"checked\"").doesNotContain("warning");
            assertThat(check.process().waitFor()).isZero();
        }
        assertThat(fake.log()).contains("launch").anyMatch(line -> line.startsWith("copy 2 "));
    }

    @Test
    void gradientRuns() throws Exception {
        assertChecked(TestUnit.of(Onnx.mlp(8, 16, 4), GRADIENT));
    }

    @Test
    void trainingStepRuns() throws Exception {
        assertChecked(TestUnit.of(Onnx.mlp(8, 16, 4), STEP));
    }
}
