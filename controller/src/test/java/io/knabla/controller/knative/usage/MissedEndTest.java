package io.knabla.controller.knative.usage;

import static io.knabla.controller.knative.usage.Objects.at;
import static io.knabla.controller.knative.usage.Objects.event;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.events.v1.Event;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MissedEndTest {
    @ParameterizedTest
    @CsvSource({"Killing, false", "Preempting, true", "Preempted, true", "TaintManagerEviction, true", "Evicted, true"})
    void theLastEventOfAnEndIsItsTime(String reason, boolean interrupted) {
        List<Event> events = List.of(
                event("a", "Scheduled", "Successfully assigned shop/digits to spot-1", "13:53:07"),
                event("b", reason, "Stopping container queue-proxy", "14:00:00"),
                event("c", reason, "Stopping container replica", "14:00:01"),
                event("d", "Unhealthy", "Readiness probe failed", "14:00:02"));

        assertThat(MissedEnd.ofPod(events)).isEqualTo(new MissedEnd(Optional.of(at("14:00:01")), interrupted));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    Killing              | Container replica failed liveness probe, will be restarted
                    TaintManagerEviction | Cancelling deletion of Pod shop/digits
                    Scheduled            | Successfully assigned shop/digits to spot-1
                    """)
    void whatIsNoEndIsNotTakenForOne(String reason, String note) {
        assertThat(MissedEnd.ofPod(List.of(event("a", reason, note, "14:00:00"))))
                .isEqualTo(new MissedEnd(Optional.empty(), false));
    }

    /** Karpenter says so of every pod that it drains, for a notice as well as to tidy up. */
    @Test
    void anEvictionByAnotherThanTheKubeletIsNoInterruption() {
        Event drained = event("a", "Evicted", "Evicted pod", "14:00:00");
        drained.setReportingController("karpenter");
        Event noticed = event("b", "SpotInterrupted", "Spot interruption warning was triggered", "13:59:00");

        assertThat(MissedEnd.ofPod(List.of(drained)).interrupted()).isFalse();
        assertThat(MissedEnd.ofPod(List.of(drained, noticed)))
                .isEqualTo(new MissedEnd(Optional.of(at("14:00:00")), true));
    }

    @Test
    void aNodeEndsWhenTheNodeControllerRemovedIt() {
        List<Event> events = List.of(
                event("a", "NodeNotReady", "Node spot-1 status is now NodeNotReady", "14:00:00"),
                event("b", "RemovingNode", "Removing Node spot-1 from Controller", "14:02:05"));

        assertThat(MissedEnd.ofNode(events)).isEqualTo(new MissedEnd(Optional.of(at("14:02:05")), false));
    }

    @Test
    void aSeriesEndsWhenItWasObservedLast() {
        Event again = event("a", "Killing", "Stopping container replica", "14:00:00");
        again.setEventTime(new io.fabric8.kubernetes.api.model.MicroTime("2026-11-21T14:00:05.250000Z"));

        assertThat(MissedEnd.ofPod(List.of(again)).at()).contains(at("14:00:05.250"));
    }
}
