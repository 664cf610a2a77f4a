package io.knabla.controller.local.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.MultiMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests header copying, timing merges, traffic splits and name suggestions. */
class HeadersTest {
    private static MultiMap copied(MultiMap from) {
        MultiMap to = MultiMap.caseInsensitiveMultiMap();
        Headers.copy(from, to);
        return to;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "TE",
                "Host",
                "Expect",
                "Upgrade",
                "Trailer",
                "Connection",
                "Keep-Alive",
                "Authorization",
                "Content-Length",
                "HTTP2-Settings",
                "Proxy-Connection",
                "Transfer-Encoding",
                "Proxy-Authenticate",
                "Proxy-Authorization",
                "Knabla-Replica-Token"
            })
    void dropsHopByHopHeaders(String name) {
        for (String written : List.of(name, name.toLowerCase(), name.toUpperCase())) {
            assertThat(copied(MultiMap.caseInsensitiveMultiMap().add(written, "x")))
                    .isEmpty();
        }
        // Another of the same length goes on.
        String other = "y".repeat(name.length());
        assertThat(copied(MultiMap.caseInsensitiveMultiMap().add(other, "1")).get(other))
                .isEqualTo("1");
    }

    @Test
    void copiesEveryValueOfAHeader() {
        MultiMap from = MultiMap.caseInsensitiveMultiMap().add("Accept", "a").add("Accept", "b");
        assertThat(copied(from).getAll("accept")).containsExactly("a", "b");
    }

    @Test
    void dropsHeadersNamedByConnection() {
        MultiMap from = MultiMap.caseInsensitiveMultiMap()
                .add("Connection", "close, x-mine ,X-Other")
                .add("X-Mine", "1")
                .add("x-other", "2")
                .add("X-Min", "3");
        assertThat(copied(from).names()).containsExactly("X-Min");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "0.99|queue;dur=0.1|queue;dur=0.1",
                "1|-|queue;dur=1.0",
                "1|queue;dur=2;desc=x|queue;dur=3.0",
                "1|queue|queue;dur=1.0",
                "1|queue;dur=|queue;dur=1.0",
                "1|dur=5|queue;dur=1.0, dur=5",
                "1|infer;dur=5, queue;dur=4 , , load|queue;dur=5.0, infer;dur=5, load"
            })
    void mergesTimings(double waited, String replicas, String merged) {
        assertThat(ServerTiming.merge(waited, Map.of(), replicas)).isEqualTo(merged);
    }

    @Test
    void startPhasesAreNotQueueTime() {
        assertThat(ServerTiming.merge(0, Map.of("boot", 3.0), null)).isEqualTo("queue;dur=0.0, boot;dur=3.0");
        assertThat(ServerTiming.merge(10, Map.of("load", 3.0, "place", 1.0, "strange", 2.0), null))
                .isEqualTo("queue;dur=6.0, place;dur=1.0, load;dur=3.0");
    }

    @Test
    void sharesAddUpAndZeroGetsNothing() {
        TrafficSplit split = new TrafficSplit(Map.of(3, 10, 1, 60, 2, 0));
        assertThat(split.total()).isEqualTo(70);
        assertThat(split.single()).isFalse();
        assertThat(split.choose(0)).isEqualTo(1);
        assertThat(split.choose(59)).isEqualTo(1);
        assertThat(split.choose(60)).isEqualTo(3);
        assertThat(split.choose(69)).isEqualTo(3);
        assertThat(new TrafficSplit(Map.of(5, 1, 6, 0)).single()).isTrue();
        org.assertj.core.api.Assertions.assertThatThrownBy(() -> new TrafficSplit(Map.of(1, 0, 2, -5)))
                .hasMessageContaining("no version has any traffic");
    }
}
