package io.knabla.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.functions.Onnx;
import io.knabla.runtime.assemble.ReplicaProcess;
import io.knabla.runtime.assemble.SampleUnit;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A replica on a CPU, which most are, pays nothing for GPUs. */
@Timeout(60)
class CpuReplicaIT {
    private static final Path FOLDER = Path.of("target/replica").toAbsolutePath();
    private static final List<String> OF_GPUS = List.of("Cuda", "Gpu", "DeviceLoss", "Pinned", "Xid");

    @Test
    void loadsNoClassOfGpus(@TempDir Path temp) throws Exception {
        Path log = temp.resolve("classes");
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xlog:class+load:file=" + log,
                "@" + FOLDER.resolve("replica.args"));
        try (var unit = SampleUnit.of(Onnx.dynamic());
                var replica = new ReplicaProcess(command, unit.environment())) {
            replica.port();
            assertThat(replica.event()).startsWith("{\"event\":\"ready\"");
            replica.terminate();
        }
        List<String> ours = Files.readAllLines(log).stream()
                .filter(line -> line.contains(" io.knabla.runtime."))
                .toList();
        assertThat(ours).anyMatch(line -> line.contains("engine.CpuDevice"));
        assertThat(ours).noneMatch(line -> OF_GPUS.stream().anyMatch(line::contains));
    }
}
