package io.knabla.controller.local.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.platform.VersionKey;
import io.knabla.controller.standin.Specs;
import io.knabla.runtime.http.HttpHeaders;
import io.knabla.runtime.http.HttpRequest;
import io.knabla.runtime.http.LimitedLog;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FailureLogTest {
    private final List<String> lines = new ArrayList<>();
    private final FailureLog log = new FailureLog(new LimitedLog(() -> Instant.EPOCH, lines::add));

    @Test
    void namesTheRequest() {
        fail();

        assertThat(lines).containsExactly("request r-1 to default/digits version 2 ended with 503 after 7 ms");
    }

    private void fail() {
        var request = HttpRequest.of("POST", "/", HttpHeaders.of("X-Request-Id", "r-1"), new byte[0], 0, 0);
        log.failed(request.trace(), new VersionKey(Specs.id("digits"), 2), 503, Duration.ofMillis(7));
    }
}
