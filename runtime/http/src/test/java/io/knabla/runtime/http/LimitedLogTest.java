package io.knabla.runtime.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LimitedLogTest {
    private final List<String> lines = new ArrayList<>();
    private Instant now = Instant.EPOCH;
    private final LimitedLog log = new LimitedLog(() -> now, lines::add);

    @Test
    void aFloodIsCutAndCounted() {
        for (int i = 0; i < 25; i++) {
            log.write("failed");
        }
        assertThat(lines).hasSize(10).containsOnly("failed");

        now = now.plusSeconds(1);
        log.write("failed");
        log.write("failed");
        assertThat(lines.subList(10, 12)).containsExactly("failed; 15 others before it are not in this log", "failed");
    }
}
