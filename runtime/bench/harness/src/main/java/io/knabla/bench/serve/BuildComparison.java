package io.knabla.bench.serve;

import io.knabla.bench.machine.Folders;
import io.knabla.bench.model.BenchModel;
import io.knabla.bench.model.Mlp;
import io.knabla.bench.report.Progress;
import io.knabla.bench.run.Bench;
import io.knabla.bench.run.Measurement;
import io.knabla.bench.run.Rows;
import io.knabla.bench.server.Distribution;
import io.knabla.bench.server.PackagedModel;
import io.knabla.bench.server.Platform;
import io.knabla.bench.server.ReplicaServer;
import io.knabla.bench.server.RunningServer;
import io.knabla.bench.wire.Call;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** {@code bench serve --against}: requests per second of two builds, which take turns on the same cores. */
public final class BuildComparison implements Bench {
    private static final int CONNECTIONS = 16;

    private final Distribution build;
    private final Distribution other;
    private final int rounds;
    private final Progress progress;

    public BuildComparison(Distribution build, Distribution other, int rounds, Progress progress) {
        this.build = build;
        this.other = other;
        this.rounds = rounds;
        this.progress = progress;
    }

    @Override
    public List<Measurement> measurements() {
        List<String> names = Comparison.OF_BUILDS.stream().map(Comparison::row).toList();
        return List.of(new Measurement(names, this::rates));
    }

    /** One build's replica and platform. */
    private record Servers(RunningServer replica, Platform platform) implements AutoCloseable {
        static Servers start(Distribution build, PackagedModel packed) {
            var server = new ReplicaServer(build, packed, Map.of());
            RunningServer replica = RunningServer.start(server, new SplittableRandom(), Duration.ofMillis(1));
            Platform platform = Platform.up(build, packed.model(), new Platform.Scaling(1, 1, 4, "60s"), 0);
            platform.awaitOne();
            return new Servers(replica, platform);
        }

        LoadTarget json(TargetId id) {
            return RunningServers.served(id, replica, CONNECTIONS);
        }

        LoadTarget binary(TargetId id) {
            Call call = ((ReplicaServer) replica.server()).binary(replica.port());
            return RunningServers.served(id, replica, call, CONNECTIONS);
        }

        LoadTarget gateway(TargetId id) {
            return new LoadTarget.ServerTarget(id, platform.json(), CONNECTIONS, platform::cpuMillis);
        }

        @Override
        public void close() {
            replica.close();
            platform.close();
        }
    }

    private void rates(Rows rows) {
        Path folder = Folders.temporary();
        PackagedModel packed =
                PackagedModel.pack(BenchModel.write(Mlp.ofOneMegabyte(), folder.resolve("1mb.onnx")), folder);
        progress.report("starting both platforms");
        try (Servers ours = Servers.start(build, packed);
                Servers theirs = Servers.start(other, packed)) {
            List<LoadTarget> targets = new ArrayList<>(List.of(
                    ours.json(TargetId.REPLICA_JSON),
                    theirs.json(TargetId.OTHER_REPLICA_JSON),
                    ours.binary(TargetId.REPLICA_BINARY),
                    theirs.binary(TargetId.OTHER_REPLICA_BINARY),
                    ours.gateway(TargetId.GATEWAY_JSON),
                    theirs.gateway(TargetId.OTHER_GATEWAY_JSON)));
            InterleavedLoad load = InterleavedLoad.run(targets, InterleavedLoad.Plan.ofRounds(rounds), progress);
            Comparison.OF_BUILDS.forEach(row -> rows.add(row.toRow(load)));
        } finally {
            Folders.delete(folder);
        }
    }
}
