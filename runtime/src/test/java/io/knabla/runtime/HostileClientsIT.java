package io.knabla.runtime;

import io.knabla.functions.Onnx;
import io.knabla.hostile.HostileClientContract;
import io.knabla.hostile.Target;
import io.knabla.runtime.assemble.ReplicaProcess;
import io.knabla.runtime.assemble.SampleUnit;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;

/** Attacks a replica from the folder that the build assembled. */
class HostileClientsIT extends HostileClientContract {
    private static final Path FOLDER = Path.of("target/replica").toAbsolutePath();

    private SampleUnit unit;
    private ReplicaProcess replica;

    /** Header lines that the replica requires, and its settings for them. */
    record Door(String name, String credentials, Map<String, String> settings) {}

    Door door() {
        return new Door("a replica", "", Map.of());
    }

    @Override
    protected Target start() throws Exception {
        unit = SampleUnit.of(Onnx.dynamic());
        var environment = new HashMap<>(unit.environment());
        environment.put("KNABLA_MAX_BODY_BYTES", Integer.toString(16 << 20));
        environment.putAll(door().settings());
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        replica = new ReplicaProcess(List.of(java, "-Xmx256m", "@" + FOLDER.resolve("replica.args")), environment);
        int port = replica.port();
        replica.event();
        String infer = "/v2/models/model/infer";
        return new Target(door().name(), port, replica.process().pid(), infer, door().credentials());
    }

    /** A heap of 256 MiB and what the engine and the threads take outside of it. */
    @Override
    protected long mostResidentMiB() {
        // Its heap may have 256; seen: 394.
        return 512;
    }

    @AfterAll
    void stop() throws IOException {
        replica.close();
        unit.close();
    }
}
