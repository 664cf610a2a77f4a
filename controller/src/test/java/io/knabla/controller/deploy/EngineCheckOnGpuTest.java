package io.knabla.controller.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.deploy.EngineCheck.CheckResult;
import io.knabla.controller.platform.engine.EngineResult;
import io.knabla.controller.platform.engine.EngineRunner;
import io.knabla.controller.platform.engine.ReplicaProgram;
import io.knabla.controller.standin.DefaultSettings;
import io.knabla.functions.Fault;
import io.knabla.functions.spec.FunctionSpec;
import io.knabla.functions.spec.FunctionSpec.Pool;
import io.knabla.functions.spec.FunctionYaml;
import io.knabla.functions.spec.Parsed.Valid;
import io.knabla.functions.unit.Digest;
import io.knabla.storage.memory.MemoryObjectStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class EngineCheckOnGpuTest {
    private static final Digest UNIT = Digest.ofHex("1".repeat(64));
    private static final EngineResult WORKS =
            new EngineResult.Passed(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

    private final MemoryObjectStore store = new MemoryObjectStore();
    private final List<Pool> runs = new ArrayList<>();
    private EngineResult onGpu = WORKS;

    /** @param pools where this platform runs requests */
    private CheckResult check(int gpus, Set<Pool> pools) {
        var runner = new EngineRunner() {
            @Override
            public boolean hasPool(Pool pool) {
                return pools.contains(pool);
            }

            @Override
            public EngineResult run(EngineRequest request) {
                runs.add(request.pool());
                return request.pool() == Pool.gpu ? onGpu : WORKS;
            }
        };
        var replica = new ReplicaProgram(runner, DefaultSettings.settings());
        return new EngineCheck(replica, new EngineVerdicts(store)).check(UNIT, spec(gpus));
    }

    private static FunctionSpec spec(int gpus) {
        return ((Valid) FunctionYaml.parse("""
                        apiVersion: knabla.dev/v1alpha1
                        kind: Function
                        metadata: {name: m}
                        spec: {model: "file:///m.onnx", resources: {gpu: %d}}
                        """.formatted(gpus))).resource().spec();
    }

    @Test
    void aFunctionOnAGpuIsTriedOnTheCpuOnceAndOnTheGpuAtEachDeploy() {
        assertThat(check(1, Set.of(Pool.cpu, Pool.gpu))).isEqualTo(new CheckResult.Works(List.of()));
        assertThat(check(1, Set.of(Pool.cpu, Pool.gpu))).isEqualTo(new CheckResult.Works(List.of()));

        assertThat(runs).containsExactly(Pool.cpu, Pool.gpu, Pool.gpu);
    }

    @Test
    void whatTheGpuLacksRefusesTheDeploy() {
        onGpu = new EngineResult.Refused("libcublas.so.13 of CUDA 13 is missing");

        assertThat(check(1, Set.of(Pool.cpu, Pool.gpu)))
                .isEqualTo(new CheckResult.Refused(
                        new Fault("spec.resources.gpu", "libcublas.so.13 of CUDA 13 is missing")));
    }

    @Test
    void otherFunctionsAreNotTriedOnAGpu() {
        check(0, Set.of(Pool.cpu, Pool.gpu));

        assertThat(runs).containsExactly(Pool.cpu);
    }

    /** A cluster: its pods tell. */
    @Test
    void nothingIsTriedWhereNoGpuIs() {
        assertThat(check(1, Set.of(Pool.cpu))).isEqualTo(new CheckResult.Works(List.of()));

        assertThat(runs).containsExactly(Pool.cpu);
    }
}
