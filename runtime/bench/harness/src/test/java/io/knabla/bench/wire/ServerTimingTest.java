package io.knabla.bench.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class ServerTimingTest {
    @Test
    void phasesComeFromServerTiming() {
        var answer = new HttpAnswer("HTTP/1.1 200 OK\r\nserver-timing: queue;dur=1.5, boot;dur=40", new byte[0]);

        assertThat(ServerTiming.phases(answer)).isEqualTo(Map.of("queue_ms", 1.5, "boot_ms", 40.0));
    }

    @Test
    void noServerTimingMeansNoPhases() {
        assertThat(ServerTiming.phases(new HttpAnswer("HTTP/1.1 200 OK", new byte[0])))
                .isEmpty();
    }
}
