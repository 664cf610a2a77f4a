package io.knabla.runtime.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ColdStartTest {
    private static final long RELEASE = ColdStart.ACTIVATOR_WINDOW.toNanos();
    private static final String VERSION = "Knabla-Version: 3\r\n";
    private static final StartPhases PHASES = new StartPhases(OptionalLong.of(1100), 90, 316, 20);

    @ParameterizedTest
    @CsvSource({
        "true,  -1,         false, EARLY",
        "true,  -1,         true,  EARLY",
        "false, -1,         false, EARLY",
        "true,  0,          false, HELD",
        "true,  1500000000, false, HELD",
        "true,  1500000001, false, LATE",
        "true,  1500000001, true,  LATE",
        "true,  0,          true,  UNSURE",
        "false, 0,          false, DIRECT",
        "false, 0,          true,  DIRECT",
        "false, 1500000001, false, LATE"
    })
    void decides(boolean byActivator, long sinceLoad, boolean answered, ColdStart expected) {
        ColdStart start = ColdStart.of(byActivator, sinceLoad, answered);
        assertThat(start).isEqualTo(expected);
        assertThat(start.waited()).isEqualTo(expected == ColdStart.EARLY || expected == ColdStart.HELD);
        assertThat(start.header().contains("cold")).isEqualTo(start.waited());
        assertThat(start.reason).isNotBlank();
    }

    @Test
    void formatsKnownPhases() {
        assertThat(PHASES.toServerTiming()).isEqualTo("place;dur=1100, fetch;dur=90, boot;dur=316, load;dur=20");
        assertThat(new StartPhases(OptionalLong.empty(), 1, 2, 3).toServerTiming())
                .isEqualTo("fetch;dur=1, boot;dur=2, load;dur=3");
    }

    /** Six callers wait and the activator forwards two at a time; then one of them calls again, twice. */
    @Test
    void reportsColdStartOncePerWaitingCaller() {
        var wake = new ColdStartReporter(VERSION, Optional.of(PHASES), 0);
        ResponseHeaders first = cold(wake, 1_000_000);
        ResponseHeaders second = cold(wake, 2_000_000);
        for (int handed = 0; handed < 4; handed++) {
            wake.answered(first);
            first = second;
            second = cold(wake, 3_000_000 + handed);
        }
        wake.answered(first);
        wake.answered(second);

        assertThat(wake.headersFor(true, 5_000_000)).isEqualTo(new ResponseHeaders(VERSION, "", 0));
        assertThat(wake.finished()).isFalse();
        ResponseHeaders later = wake.headersFor(true, RELEASE + 1);
        assertThat(later).isEqualTo(new ResponseHeaders(VERSION + "Knabla-Start: warm\r\n", "", 0));
        assertThat(later.toHeaderLines()).isEqualTo(later.lines());
        assertThat(wake.finished()).isTrue();
    }

    private static ResponseHeaders cold(ColdStartReporter wake, long sinceLoad) {
        ResponseHeaders heading = wake.headersFor(true, sinceLoad);
        assertThat(heading)
                .isEqualTo(new ResponseHeaders(VERSION + "Knabla-Start: cold\r\n", PHASES.toServerTiming(), 0));
        assertThat(heading.toHeaderLines())
                .isEqualTo(VERSION + "Knabla-Start: cold\r\nServer-Timing: " + PHASES.toServerTiming() + "\r\n");
        return heading;
    }

    @Test
    void finishesUnderConstantLoad() {
        var wake = new ColdStartReporter(VERSION, Optional.of(PHASES), 0);
        List<ResponseHeaders> unanswered = List.of(cold(wake, 0), cold(wake, RELEASE));
        assertThat(unanswered).allMatch(ResponseHeaders::waited);
        assertThat(wake.headersFor(true, RELEASE + 1).waited()).isFalse();
        assertThat(wake.finished()).isTrue();
    }

    @Test
    void directCallsDoNotFinishReporting() {
        var wake = new ColdStartReporter(VERSION, Optional.of(PHASES), 0);
        ResponseHeaders early = wake.headersFor(false, -40);
        assertThat(early.waited()).isTrue();
        assertThat(early.startNanos()).isEqualTo(40);
        wake.answered(early);
        assertThat(wake.headersFor(false, 10).waited()).isFalse();
        assertThat(wake.finished()).isFalse();
        cold(wake, 20);
    }

    @Test
    void doesNotReportBehindGateway() {
        var wake = new ColdStartReporter(VERSION, Optional.empty(), 0);
        assertThat(wake.finished()).isTrue();
        assertThat(wake.headersFor(null)).isEqualTo(new ResponseHeaders(VERSION, "", 0));
    }
}
