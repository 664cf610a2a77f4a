package io.knabla.bench.server;

import io.knabla.bench.machine.ChildProcess;
import io.knabla.bench.model.BenchModel;
import io.knabla.bench.wire.Call;
import java.util.List;
import java.util.Map;

/** The Quarkus application on a plain JVM with default flags; only the port and the temporary folder are set. */
public record BaselineServer(Distribution distribution, BenchModel model) implements Server {
    public static final String NAME = "quarkus-rest-default";

    private static final String INFER = "/v2/models/model/infer";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public ChildProcess.Command command(int port) {
        return new ChildProcess.Command(
                List.of(
                        distribution.java().toString(),
                        "-Djava.io.tmpdir={tmp}",
                        "-Dquarkus.http.port=" + port,
                        "-jar",
                        distribution.baseline().toString()),
                // ONNX Runtime's telemetry is off on both sides.
                Map.of("BASELINE_MODEL", model.file().toString(), "ORT_DISABLE_TELEMETRY", "1"));
    }

    @Override
    public Call call(int port) {
        return Call.json(port, INFER, model);
    }

    public Call nonBlocking(int port) {
        return Call.json(port, INFER + "-nonblocking", model);
    }

    public Call binary(int port) {
        return Call.binary(port, INFER + "-binary", model);
    }

    public Call binaryNonBlocking(int port) {
        return Call.binary(port, INFER + "-binary-nonblocking", model);
    }

    @Override
    public Map<String, Double> phases(String output) {
        return Map.of();
    }
}
