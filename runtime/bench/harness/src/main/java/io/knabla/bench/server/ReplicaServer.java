package io.knabla.bench.server;

import io.knabla.bench.machine.ChildProcess;
import io.knabla.bench.wire.Call;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A replica, started as the controller starts it.
 *
 * @param settings additional environment variables, such as for batching
 */
public record ReplicaServer(Distribution distribution, PackagedModel packed, Map<String, String> settings)
        implements Server {
    private static final String MODEL = "bench";

    @Override
    public String name() {
        return "replica";
    }

    @Override
    public ChildProcess.Command command(int port) {
        Map<String, String> environment = new HashMap<>(settings);
        environment.put("ORT_DISABLE_TELEMETRY", "1");
        environment.put("MALLOC_ARENA_MAX", "1");
        environment.put("KNABLA_UNIT", packed.unit().toString());
        environment.put("KNABLA_STORE", packed.store().toString());
        environment.put("KNABLA_CACHE", packed.cache().toString());
        environment.put("KNABLA_MODEL_NAME", MODEL);
        environment.put("KNABLA_MODEL_VERSION", "1");
        environment.put("PORT", Integer.toString(port));
        return new ChildProcess.Command(
                List.of(
                        distribution.java().toString(),
                        "-Djava.io.tmpdir={tmp}",
                        "@" + distribution.replicaArguments()),
                environment);
    }

    @Override
    public Call call(int port) {
        return Call.json(port, "/v2/models/" + MODEL + "/infer", packed.model());
    }

    public Call binary(int port) {
        return Call.binary(port, "/v2/models/" + MODEL + "/infer", packed.model());
    }

    @Override
    public Map<String, Double> phases(String output) {
        return ReadyEvent.phases(output);
    }
}
