package io.knabla.bench.cold;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.bench.wire.HttpAnswer;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PlatformStartTest {
    @Test
    void phasesComeFromServerTiming() {
        var answer =
                new HttpAnswer(
                        "HTTP/1.1 200 OK\r\nserver-timing: queue;dur=1.5, boot;dur=40",
                        new byte[0]);

        assertThat(PlatformStart.phases(answer))
                .isEqualTo(Map.of("queue_ms", 1.5, "boot_ms", 40.0));
    }

    @Test
    void noServerTimingMeansNoPhases() {
        assertThat(PlatformStart.phases(new HttpAnswer("HTTP/1.1 200 OK", new byte[0]))).isEmpty();
    }
}
