package io.knabla.bench.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class MachineTest {
    @Test
    void parsesStatWithSpacesAndBracketsInName() {
        String stat = "7 (a (b) c) S 1 2 3 4 5 6 7 8 9 10 30 12 0 0 20 0 1 0 99 1 1";

        assertThat(ProcessUsage.ticks(stat)).isEqualTo(42);
    }

    @Test
    void readsUsageOfOwnProcess() {
        ProcessUsage usage = ProcessUsage.of(ProcessHandle.current().pid());

        assertThat(usage.cpuMillis()).isPositive();
        assertThat(usage.peakRssMb()).isPositive();
        assertThat(usage.pssMb()).isPositive();
    }

    @Test
    void foreignShareIsBusyTimeMinusOwn() {
        MachineCpuTime start = MachineCpuTime.parse("cpu  100 0 50 800 50 0 0 0 0 0");
        MachineCpuTime end = MachineCpuTime.parse("cpu  150 0 60 930 50 0 0 10 0 0");

        // 200 ticks passed, 70 of them busy, 30 of those ours.
        assertThat(end.foreignShareSince(start, 300)).isCloseTo(0.2, within(1e-9));
        assertThat(end.foreignShareSince(start, 5000)).isZero();
        assertThat(start.foreignShareSince(start, 0)).isZero();
    }

    @Test
    void portsAreFreeAndOutsideTheEphemeralRange() {
        assertThat(Ports.free(new Random(1))).isBetween(20_000, 31_999);
    }

    @Test
    void aChildLeavesNothingBehind() throws Exception {
        var command = new ChildProcess.Command(List.of("sh", "-c", "echo $X; exec sleep 60"), Map.of("X", "{tmp}"));
        Path tmp;
        long pid;
        try (ChildProcess child = ChildProcess.start(command)) {
            pid = child.pid();
            while (child.output().isBlank()) {
                Thread.onSpinWait();
            }
            tmp = Path.of(child.output().strip());
            assertThat(tmp).isDirectory();
        }

        assertThat(Files.exists(tmp)).isFalse();
        assertThat(ProcessHandle.of(pid).filter(ProcessHandle::isAlive)).isEmpty();
    }

    @Test
    void failedStartNamesTheCommand() {
        var command = new ChildProcess.Command(List.of("/no/such/program"), Map.of());

        assertThatThrownBy(() -> ChildProcess.start(command)).hasMessageContaining("/no/such/program");
    }
}
