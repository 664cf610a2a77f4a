package io.knabla.controller.machine;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.machine.MemoryLimit.Source;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MemoryLimitTest {
    private static final long MIB = 1L << 20;

    @Test
    void aReplicaMayUseWhatItsFunctionDeclares() {
        assertThat(MemoryLimit.ofReplica(Optional.of(128 * MIB), 64))
                .isEqualTo(new MemoryLimit(128 * MIB, Source.DECLARED));
        assertThat(MemoryLimit.ofReplica(Optional.empty(), 1024 * MIB))
                .isEqualTo(new MemoryLimit(768 * MIB, Source.MACHINE));
    }

    /** All in MiB. */
    @ParameterizedTest
    @CsvSource({
        "4096,    ,     , 1536, MACHINE",
        "65536,   ,     , 8192, DEFAULT",
        "65536, 100,    , 100,  CONFIGURED",
        "4096, 4000,  64, 4000, CONFIGURED",
        "65536,   ,  128, 1024, DECLARED",
        "65536,   ,  512, 2048, DECLARED",
        "4096,    ,  512, 1536, MACHINE",
        "65536,   , 9000, 8192, DEFAULT",
        "1024,    ,  128, 384,  MACHINE"
    })
    void anEngineRunFollowsTheMachineAndTheFunction(
            long machine, Integer configured, Long declared, long expected, Source source) {
        MemoryLimit limit = MemoryLimit.ofEngine(
                configured == null ? OptionalInt.empty() : OptionalInt.of(configured),
                Optional.ofNullable(declared).map(mib -> mib * MIB),
                MemoryLimit.ofEngineOn(machine * MIB));

        assertThat(limit).isEqualTo(new MemoryLimit(expected * MIB, source));
        assertThat(limit.engineText()).startsWith(expected + " MiB (");
    }

    @Test
    void theRemedyFollowsWhatDecided() {
        assertThat(new MemoryLimit(64 * MIB, Source.DECLARED).replicaKilled())
                .contains("its memory of 64Mi", "such as 128Mi");
        assertThat(new MemoryLimit(64 * MIB, Source.MACHINE).replicaKilled())
                .contains("64Mi, three quarters of this machine's memory")
                .doesNotContain("or to auto");
        assertThat(MemoryLimit.outOfMemory("ran out of memory", Optional.empty()))
                .startsWith("a replica ran out of memory. Set spec.resources.memory to more, or to auto;");
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void readsTheMemoryOfAProcess() {
        long own = ProcessHandle.current().pid();

        assertThat(ProcessMemory.isReported()).isTrue();
        assertThat(ProcessMemory.anonymousBytes(own).getAsLong()).isBetween(MIB, ProcessMemory.machineBytes());
        assertThat(ProcessMemory.anonymousBytes(Long.MAX_VALUE)).isEmpty();
    }
}
