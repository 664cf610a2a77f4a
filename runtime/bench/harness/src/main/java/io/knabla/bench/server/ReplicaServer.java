package io.knabla.bench.server;

import io.knabla.bench.machine.ChildProcess;
import io.knabla.bench.wire.Call;
import java.util.Map;

/**
 * A replica that answers inference requests.
 *
 * @param settings additional environment variables, such as for batching
 */
public record ReplicaServer(Distribution distribution, PackagedModel packed, Map<String, String> settings)
        implements PooledServer {
    private static final String PATH = "/v2/models/%s/infer".formatted(ReplicaProcess.MODEL);

    @Override
    public String name() {
        return "replica";
    }

    private ReplicaProcess process() {
        return new ReplicaProcess(distribution, distribution.replicaArguments(), packed.unit(), settings);
    }

    @Override
    public ChildProcess.Command command(int port) {
        return process().command(port);
    }

    @Override
    public ChildProcess.Command poolMember() {
        return process().poolMember();
    }

    @Override
    public byte[] assignment(int port) {
        return process().assignment(port);
    }

    @Override
    public Call call(int port) {
        return Call.json(port, PATH, packed.model());
    }

    public Call binary(int port) {
        return Call.binary(port, PATH, packed.model());
    }

    public Call grpc(int port) {
        return Call.grpc(port, ReplicaProcess.MODEL, packed.model());
    }

    @Override
    public Map<String, Double> phases(String output) {
        return ReadyEvent.phases(output);
    }
}
