package io.knabla.controller.platform.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.machine.MemoryLimit;
import io.knabla.controller.platform.engine.EngineRunner.Mode;
import io.knabla.controller.standin.DefaultSettings;
import io.knabla.controller.standin.Specs;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ReplicaProgramTest {
    private static final long MIB = 1L << 20;
    private static final long SMALL_MACHINE = 1024 * MIB;

    /** Uses a little more than it may, on a machine of 1 GiB. */
    private static final class Greedy implements EngineRunner {
        @Override
        public EngineResult run(EngineRequest order) {
            return new EngineResult.TooLarge(
                    order.limits().memoryBytes() + MIB, order.limits().memory());
        }

        @Override
        public MemoryLimit mostMemory() {
            return MemoryLimit.ofEngineOn(SMALL_MACHINE);
        }
    }

    private static String sentence(EngineRunner runner, Optional<Long> declared, Map<String, String> settings) {
        var program = new ReplicaProgram(runner, DefaultSettings.with(settings));
        return program.failureMessage(Mode.check, program.check(Specs.digest(1), declared, 1))
                .orElseThrow();
    }

    @Test
    void theBoundFollowsTheMachine() {
        assertThat(sentence(new Greedy(), Optional.of(512 * MIB), Map.of()))
                .isEqualTo(
                        "the engine used 385 MiB of memory to run this model once, allowed are 384 MiB (three eighths of the machine's memory, as two models may be tried at once). Make it smaller, or allow more with KNABLA_CHECK_MEBIBYTES.");
    }

    @Test
    void theBoundFollowsTheFunction() {
        EngineRunner elsewhere = new Greedy()::run;

        assertThat(sentence(elsewhere, Optional.of(512 * MIB), Map.of()))
                .isEqualTo(
                        "the engine used 2049 MiB of memory to run this model once, allowed are 2048 MiB (four times spec.resources.memory, at least 1024). Set spec.resources.memory to more, make the model smaller, or allow more with KNABLA_CHECK_MEBIBYTES.");
    }

    @Test
    void theSettingHasPrecedence() {
        assertThat(sentence(new Greedy(), Optional.of(512 * MIB), Map.of("knabla.check.mebibytes", "100")))
                .contains("allowed are 100 MiB (KNABLA_CHECK_MEBIBYTES)");
    }
}
