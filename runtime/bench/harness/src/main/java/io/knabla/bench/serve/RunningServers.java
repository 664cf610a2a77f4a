package io.knabla.bench.serve;

import io.knabla.bench.machine.ProcessUsage;
import io.knabla.bench.model.BenchModel;
import io.knabla.bench.server.BaselineServer;
import io.knabla.bench.server.Platform;
import io.knabla.bench.server.ReplicaServer;
import io.knabla.bench.server.RunningServer;
import io.knabla.bench.wire.Call;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.DoubleSupplier;

/**
 * The running servers of one benchmark; each load target is one of them called in one way.
 *
 * @param platform null if no target uses the gateway
 * @param nginx before the platform's replica; null if no target uses it
 */
record RunningServers(
        BenchModel model,
        RunningServer replica,
        RunningServer baseline,
        Platform platform,
        RunningServer nginx,
        int connections) {
    private static final int MANY_CONNECTIONS = 64;

    LoadTarget target(TargetId player) {
        return switch (player) {
            case REPLICA_JSON, BATCHING_ON, BATCHING_OFF -> served(player, replica, connections);
            case REPLICA_BINARY -> {
                var server = (ReplicaServer) replica.server();
                yield served(player, replica, server.binary(replica.port()));
            }
            case REPLICA_GRPC -> {
                var server = (ReplicaServer) replica.server();
                yield served(player, replica, server.grpc(replica.port()));
            }
            case QUARKUS_REST -> served(player, baseline, connections);
            case QUARKUS_REST_NON_BLOCKING -> served(player, baseline, quarkus().nonBlocking(baseline.port()));
            case QUARKUS_BYTES -> served(player, baseline, quarkus().binary(baseline.port()));
            case QUARKUS_BYTES_NON_BLOCKING ->
                served(player, baseline, quarkus().binaryNonBlocking(baseline.port()));
            case GATEWAY_JSON -> through(player, platform.json());
            case GATEWAY_BINARY -> through(player, platform.binary());
            case GATEWAY_GRPC -> through(player, platform.grpc());
            case NGINX_JSON ->
                new LoadTarget.ServerTarget(
                        player, throughNginx(), connections, () -> nginxMillis() + platform.replicaCpuMillis());
            case GATEWAY_ALONE -> alone(player, platform.json(), platform::proxyCpuMillis);
            case NGINX_ALONE -> alone(player, throughNginx(), this::nginxMillis);
            case BARE_LOOP -> new BareLoop(model);
            case OTHER_REPLICA_JSON, OTHER_REPLICA_BINARY, OTHER_GATEWAY_JSON ->
                throw new IllegalArgumentException(player.title());
        };
    }

    /** A server called with its default request. */
    static LoadTarget served(TargetId player, RunningServer running, int connections) {
        return served(player, running, running.server().call(running.port()), connections);
    }

    private LoadTarget served(TargetId player, RunningServer running, Call call) {
        return served(player, running, call, connections);
    }

    static LoadTarget served(TargetId player, RunningServer running, Call call, int connections) {
        return new LoadTarget.ServerTarget(player, call, connections, () -> cpuMillis(running));
    }

    private LoadTarget through(TargetId player, Call call) {
        return new LoadTarget.ServerTarget(player, call, connections, platform::cpuMillis);
    }

    /** The CPU time of the replica is not counted. */
    private LoadTarget alone(TargetId player, Call call, DoubleSupplier proxyMillis) {
        return new LoadTarget.ServerTarget(player, call, MANY_CONNECTIONS, proxyMillis, platform::replicaCpuMillis);
    }

    private Call throughNginx() {
        return nginx.server().call(nginx.port());
    }

    private double nginxMillis() {
        return ProcessUsage.treeCpuMillis(nginx.child().pid());
    }

    private BaselineServer quarkus() {
        return (BaselineServer) baseline.server();
    }

    private static double cpuMillis(RunningServer running) {
        try {
            return ProcessUsage.cpuMillis(running.child().pid());
        } catch (IOException ended) {
            throw new UncheckedIOException(running.server().name() + " ended under load", ended);
        }
    }
}
