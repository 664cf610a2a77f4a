package io.knabla.controller.local.liveness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class CpuTimesTest {
    /** Of each thread there is some, if only from its start. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void aProcessThatComputesUsesTimeAndWaitsForIt() {
        CpuTimes before = CpuTimes.of(ProcessHandle.current());

        await().pollInSameThread()
                .until(() -> !CpuTimes.of(ProcessHandle.current())
                        .since(before)
                        .used()
                        .isZero());

        assertThat(CpuTimes.of(ProcessHandle.current()).waited()).isPositive();
    }

    @Test
    void aProcessThatIsGoneWaitsForNothing() throws Exception {
        Process ended = new ProcessBuilder("true").start();
        ended.waitFor();

        assertThat(CpuTimes.of(ended.toHandle()).waited()).isEqualTo(Duration.ZERO);
    }
}
