package io.knabla.runtime.pool;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RecentCallsTest {
    private static final long SECOND = 1_000_000_000L;

    private final RecentCalls calls = new RecentCalls();

    @Test
    void countsTheCallsOfItsWindow() {
        calls.called("a", 0);
        calls.called("a", 5 * SECOND);
        calls.called("b", 19 * SECOND);

        assertThat(calls.json(20 * SECOND))
                .isEqualTo(
                        "{\"functions\":{\"a\":{\"recent\":2,\"refused\":false},\"b\":{\"recent\":1,\"refused\":false}}}");
        assertThat(calls.json(21 * SECOND))
                .isEqualTo(
                        "{\"functions\":{\"a\":{\"recent\":1,\"refused\":false},\"b\":{\"recent\":1,\"refused\":false}}}");
        assertThat(calls.json(60 * SECOND)).isEqualTo("{\"functions\":{}}");
    }

    @Test
    void tellsThatACallCouldNotBeServed() {
        calls.called("a", 0);
        calls.refused("a", 0);

        assertThat(calls.json(SECOND)).contains("\"refused\":true");
    }
}
