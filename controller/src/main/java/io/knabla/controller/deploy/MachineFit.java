package io.knabla.controller.deploy;

import io.knabla.controller.config.Settings;
import io.knabla.controller.config.Settings.ClusterKind;
import io.knabla.controller.machine.ProcessMemory;
import io.knabla.functions.spec.FunctionSpec.Resources;
import io.knabla.functions.spec.Quantities;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Warns of a replica whose declared resources exceed those of the whole laptop. It is deployed nevertheless: what a
 * file declares for a cluster is a limit here, and most replicas use far less.
 */
@Singleton
public final class MachineFit {
    private final ClusterKind kind;

    MachineFit(Settings settings) {
        kind = settings.cluster().kind();
    }

    /** One sentence for each resource; none on a cluster, whose conditions tell of pods that no node can hold. */
    public List<String> warnings(Resources declared) {
        return switch (kind) {
            case Local -> warnings(declared, Runtime.getRuntime().availableProcessors(), ProcessMemory.machineBytes());
            case Knative -> List.of();
        };
    }

    static List<String> warnings(Resources declared, int cores, long bytes) {
        Optional<String> cpu = declared.milliCpu()
                .filter(milli -> milli > 1000L * cores)
                .map(milli ->
                        "spec.resources.cpu is %s, but this machine has %d cores, which all replicas share: it computes with %d threads here. Declare at most %d, or deploy to a cluster with such nodes."
                                .formatted(Quantities.formatCpu(milli), cores, cores, cores));
        Optional<String> memory = declared.memoryBytes()
                .filter(declaredBytes -> declaredBytes > bytes)
                .map(declaredBytes ->
                        "spec.resources.memory is %s, but this machine has %d MiB, which all replicas share: one that uses more is killed before it reaches its limit. Declare what it needs, which ./knabla analyze tells, or deploy to a cluster with such nodes."
                                .formatted(Quantities.formatBytes(declaredBytes), bytes >> 20));
        return Stream.of(cpu, memory).flatMap(Optional::stream).toList();
    }
}
