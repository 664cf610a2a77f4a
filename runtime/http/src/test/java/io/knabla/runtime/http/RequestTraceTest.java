package io.knabla.runtime.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RequestTraceTest {
    private static final String PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    private static final String FRESH_ID = "X-Request-Id: [0-9a-f]{32}";
    private static final String FRESH_PARENT = "traceparent: 00-[0-9a-f]{32}-[0-9a-f]{16}-00";

    @Test
    void keepsWhatIsWellFormed() {
        var trace = of("x-request-id", "Root=1-67891233:a/b", "Traceparent", PARENT, "tracestate", "a=b");

        assertThat(lines(trace)).containsExactly("X-Request-Id: Root=1-67891233:a/b", "traceparent: " + PARENT);
        assertThat(trace).hasToString("request Root=1-67891233:a/b, trace 0af7651916cd43dd8448eb211c80319c");
        assertThat(trace.replaces("tracestate")).isFalse();
    }

    @Test
    void aRequestWithoutAnIdGetsOneOfItsOwnAndNoTrace() {
        assertThat(lines(of("Host", "h"))).singleElement().asString().matches(FRESH_ID);
        assertThat(lines(of())).isNotEqualTo(lines(of()));
        assertThat(of().toString()).matches("request [0-9a-f]{32}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a\tb", "a\u001b[31m", "\"quoted\"", "é", "a;b", "{}"})
    void replacesAMalformedId(String id) {
        assertThat(lines(of("X-Request-Id", id))).singleElement().asString().matches(FRESH_ID);
    }

    @Test
    void replacesALongIdAndOneGivenTwice() {
        assertThat(lines(of("X-Request-Id", "a".repeat(128)))).containsExactly("X-Request-Id: " + "a".repeat(128));
        assertThat(lines(of("X-Request-Id", "a".repeat(129))))
                .first()
                .asString()
                .matches(FRESH_ID);
        assertThat(lines(of("X-Request-Id", "a", "x-request-id", "b")))
                .singleElement()
                .asString()
                .matches(FRESH_ID);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "00-1",
                "00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01",
                "00-00000000000000000000000000000000-b7ad6b7169203331-01",
                "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
                "ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
                "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more",
                "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01\u001b[31m"
            })
    void replacesAMalformedParentAndDropsItsState(String parent) {
        var trace = of("traceparent", parent);

        assertThat(lines(trace).getLast()).matches(FRESH_PARENT);
        assertThat(trace.replaces("TraceState")).isTrue();
    }

    @Test
    void aLaterVersionMayHaveMoreFields() {
        String later = "01" + PARENT.substring(2) + "-more";

        assertThat(lines(of("traceparent", later))).contains("traceparent: " + later);
        assertThat(lines(of("traceparent", later + "x".repeat(80))).getLast()).matches(FRESH_PARENT);
    }

    private static RequestTrace of(String... fields) {
        return RequestTrace.of(HttpHeaders.of(fields));
    }

    private static List<String> lines(RequestTrace trace) {
        return trace.headerLines().lines().toList();
    }
}
