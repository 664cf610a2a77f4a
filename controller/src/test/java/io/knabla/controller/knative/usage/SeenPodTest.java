package io.knabla.controller.knative.usage;

import static io.knabla.controller.knative.usage.Objects.DELETED;
import static io.knabla.controller.knative.usage.Objects.READY;
import static io.knabla.controller.knative.usage.Objects.SCHEDULED;
import static io.knabla.controller.knative.usage.Objects.UID;
import static io.knabla.controller.knative.usage.Objects.at;
import static io.knabla.controller.knative.usage.Objects.ended;
import static io.knabla.controller.knative.usage.Objects.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.knabla.controller.usage.Interval;
import io.knabla.controller.usage.ReplicaEnd;
import io.knabla.controller.usage.ReplicaInterval;
import io.knabla.controller.usage.Resources;
import io.knabla.controller.usage.StartKind;
import io.knabla.controller.usage.Work;
import io.knabla.functions.unit.usage.Counters;
import io.knabla.functions.unit.usage.ReplicaTotals;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SeenPodTest {
    private static final String TOTALS =
            "{\"succeeded\":7,\"failed\":1,\"elements\":700,\"busyMillis\":90,\"cpuMillis\":41300,\"residentBytes\":130000000}";

    private static final String MESSAGE = """
            lastState:
              terminated:
                containerID: containerd://one
                exitCode: 0
                finishedAt: "2026-11-21T13:59:00Z"
                message: '%s'
            """.formatted(TOTALS);

    private static ReplicaInterval row(SeenPod pod) {
        return pod.interval("node-uid", false).orElseThrow();
    }

    private static ReplicaInterval row(Pod pod) {
        return row(SeenPod.of(pod));
    }

    @Test
    void aReadyPodHoldsTheRequestsOfAllItsContainersSinceItWasScheduled() {
        assertThat(row(pod(READY)))
                .isEqualTo(new ReplicaInterval(
                        UID,
                        "shop",
                        "digits",
                        3,
                        "node-uid",
                        new Resources(new BigDecimal("0.525"), 320L << 20, 0),
                        Resources.NONE,
                        new Interval(at("13:53:07"), Optional.empty()),
                        StartKind.COLD,
                        Map.of("place", Duration.ofSeconds(2), "load", Duration.ofSeconds(4)),
                        Work.NONE,
                        ReplicaEnd.RUNNING));
    }

    @Test
    void startPhasesAreUnknownUntilItIsReadyAndStayWhenReadinessFlaps() {
        SeenPod starting = SeenPod.of(pod(SCHEDULED));
        assertThat(starting.phases()).isEmpty();

        SeenPod ready = starting.updated(pod(READY));
        SeenPod flapped = ready.updated(pod(READY.replace("13:53:13", "13:59:00")));
        assertThat(row(flapped).startTime()).isEqualTo(Duration.ofSeconds(6));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "phase: Pending\nconditions:\n"
                        + "  - {type: PodScheduled, status: \"False\", lastTransitionTime: \"2026-11-21T13:53:05Z\"}",
                "phase: Pending"
            })
    void aPodThatIsNotScheduledHoldsNothing(String status) {
        Pod waiting = pod(status);
        waiting.getSpec().setNodeName(null);

        assertThat(SeenPod.of(waiting).interval("", false)).isEmpty();
        assertThat(SeenPod.of(waiting).deleted(at("13:54:00")).interval("", false))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"knabla.dev/version", "knabla.dev/function"})
    void aPodOfNoVersionIsNoReplica(String label) {
        Pod other = pod(READY);
        other.getMetadata().getLabels().remove(label);

        assertThat(SeenPod.of(other).interval("node-uid", false)).isEmpty();
    }

    @Test
    void aDrainingPodHoldsItsResourcesUntilItsLastContainerTerminated() {
        assertThat(row(pod(DELETED, READY)).end()).isEqualTo(ReplicaEnd.RUNNING);

        ReplicaInterval stopped = row(pod(
                DELETED,
                ended("Running", "state: {terminated: {exitCode: 143, finishedAt: \"2026-11-21T14:00:04Z\"}}")));
        assertThat(stopped.time().end()).contains(at("14:00:04"));
        assertThat(stopped.end()).isEqualTo(ReplicaEnd.STOPPED);
    }

    /** A container that ended is started again by the kubelet, so the pod holds what it requested. */
    @Test
    void aPodWhoseContainersWaitForTheirNextStartHoldsItsResources() {
        assertThat(row(pod(ended(
                                "Running", "state: {terminated: {exitCode: 1, finishedAt: \"2026-11-21T14:00:04Z\"}}")))
                        .end())
                .isEqualTo(ReplicaEnd.RUNNING);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    state: {terminated: {exitCode: 0, finishedAt: "2026-11-21T14:00:01Z"}}                      | STOPPED
                    state: {terminated: {exitCode: 137, finishedAt: "2026-11-21T14:00:40Z", reason: Error}}     | STOPPED
                    state: {terminated: {exitCode: 137, finishedAt: "2026-11-21T14:00:01Z", reason: OOMKilled}} | FAILED
                    state: {terminated: {exitCode: 1, finishedAt: "2026-11-21T13:59:59Z", reason: Error}}       | FAILED
                    """)
    void aPodFailedIfItsReplicaEndedByItselfWithAnError(String state, ReplicaEnd reason) {
        SeenPod deleted = SeenPod.of(pod(DELETED, ended("Running", state))).deleted(at("14:00:41"));

        assertThat(row(deleted).end()).isEqualTo(reason);
    }

    @Test
    void aPodThatCrashedUntilItWasDeletedFailed() {
        SeenPod deleted = SeenPod.of(pod(DELETED, ended("Running", """
                        lastState: {terminated: {exitCode: 1, finishedAt: "2026-11-21T13:59:59Z"}}
                            state: {waiting: {reason: CrashLoopBackOff}}"""))).deleted(at("14:00:03"));

        assertThat(row(deleted).end()).isEqualTo(ReplicaEnd.FAILED);
        assertThat(row(deleted).time().end()).contains(at("14:00:03"));
    }

    @ParameterizedTest
    @CsvSource({
        "TerminationByKubelet, false, INTERRUPTED",
        "DeletionByTaintManager, false, INTERRUPTED",
        "DeletionByPodGC, false, INTERRUPTED",
        "PreemptionByScheduler, false, INTERRUPTED",
        "EvictionByEvictionAPI, false, STOPPED",
        "EvictionByEvictionAPI, true, INTERRUPTED"
    })
    void aPodThatWasForcedOffItsNodeWasInterrupted(String by, boolean noticed, ReplicaEnd reason) {
        Pod evicted = pod("""
                phase: Failed
                reason: Evicted
                conditions:
                  - {type: PodScheduled, status: "True", lastTransitionTime: "2026-11-21T13:53:07Z"}
                  - {type: DisruptionTarget, status: "True", reason: %s, lastTransitionTime: "2026-11-21T13:58:30Z"}
                """.formatted(by));

        ReplicaInterval row = SeenPod.of(evicted).interval("node-uid", noticed).orElseThrow();
        assertThat(row.end()).isEqualTo(reason);
        assertThat(row.time().end()).contains(at("13:58:30"));
    }

    /** Of a lost node: nobody told the API server how its containers ended. */
    @Test
    void aPodThatIsGoneWhileItRanEndedWhenItWasDeleted() {
        ReplicaInterval row = row(SeenPod.of(pod(READY)).deleted(at("14:10:00")));

        assertThat(row.time()).isEqualTo(Interval.of(at("13:53:07"), at("14:10:00")));
        assertThat(row.end()).isEqualTo(ReplicaEnd.STOPPED);
    }

    @Test
    void theTerminationMessageHasTheTotalsOfItsWholeRun() {
        SeenPod scraped = SeenPod.of(pod(READY))
                .measured("containerd://one", new ReplicaTotals(5, 1, 500, 60, 20_000, 120_000_000), at("13:58:00"));
        SeenPod stopped = scraped.updated(pod(DELETED, ended("Succeeded", """
                        containerID: containerd://one
                            state:
                              terminated:
                                containerID: containerd://one
                                exitCode: 0
                                finishedAt: "2026-11-21T14:00:00Z"
                                message: '%s'""".formatted(TOTALS))));

        assertThat(row(scraped).work()).isEqualTo(new Work(5, 1, 0, 500, 60));
        assertThat(row(stopped).work()).isEqualTo(new Work(7, 1, 0, 700, 90));
        assertThat(row(stopped).used()).isEqualTo(new Resources(new BigDecimal("0.100"), 130_000_000, 0));
    }

    /** A scrape of a first run, and the message that the second left: see MetricsTest and UsageReporterTest. */
    @Test
    void countersOfMetricsAndOfTheTerminationMessageAddUp() {
        String metrics = """
                nv_inference_request_success{model="digits",version="3"} 2
                knabla_work_total{model="digits",version="3",counter="toy_tokens"} 40
                """;
        String restarted = ended("Succeeded", """
                containerID: containerd://two
                    state:
                      terminated:
                        containerID: containerd://two
                        exitCode: 0
                        finishedAt: "2026-11-21T14:00:00Z"
                        message: '%s'""".formatted(TOTALS.replace("}", ",\"counters\":{\"toy_tokens\":2}}")));
        SeenPod pod = SeenPod.of(pod(READY))
                .measured("containerd://one", ReportedTotals.ofMetrics(metrics).orElseThrow(), at("13:58:00"))
                .updated(pod(DELETED, restarted));

        assertThat(row(pod).work()).isEqualTo(new Work(9, 1, 0, 700, 90, new Counters(Map.of("toy_tokens", 42L))));
    }

    @Test
    void runsBeforeARestartOfTheContainerCount() {
        String restarted =
                READY.replace("containerd://one", "containerd://two").replace("restartCount: 0", "restartCount: 1");
        SeenPod pod = SeenPod.of(pod(READY))
                .measured("containerd://one", new ReplicaTotals(5, 0, 50, 60, 100, 9), at("13:58:00"))
                .updated(pod(restarted))
                .measured("containerd://two", new ReplicaTotals(2, 0, 20, 30, 50, 7), at("13:58:10"));

        assertThat(row(pod).work()).isEqualTo(new Work(7, 0, 0, 70, 90));
    }

    /** Of a pod's second run, measured by a controller that took over; its first run left what is given. */
    private static SeenPod takenOver(String firstRun, Work recorded) {
        return SeenPod.of(pod(READY.replace("restartCount: 0", "restartCount: 1")
                        .replace(
                                "containerID: containerd://one",
                                "containerID: containerd://two\n" + firstRun.indent(4))))
                .recorded(recorded);
    }

    private static ReplicaTotals totals(long number) {
        return new ReplicaTotals(number, 0, number, number, number, number);
    }

    private static Work work(long number) {
        return new Work(number, 0, 0, number, number);
    }

    @Test
    void aRecordedRunThatLeftAMessageCountsOnce() {
        SeenPod pod = takenOver(MESSAGE, new Work(9, 1, 0, 702, 92))
                .scraped("containerd://two", totals(2), at("14:00:00"))
                .scraped("containerd://two", totals(3), at("14:00:10"));

        assertThat(row(pod).work()).isEqualTo(new Work(10, 1, 0, 703, 93));
    }

    /** What it left, told once more with each change of the pod, says nothing of the run that goes on. */
    @Test
    void aMessageIsNoMeasureOfTheRunThatGoesOn() {
        SeenPod pod = takenOver(MESSAGE, new Work(9, 1, 0, 702, 92));
        SeenPod measured = pod.updated(pod.pod()).scraped("containerd://two", totals(2), at("14:00:00"));

        assertThat(row(measured).work()).isEqualTo(new Work(9, 1, 0, 702, 92));
    }

    @Test
    void aRunWithoutAMessageIsKnownByWhatIsRecorded() {
        SeenPod pod = takenOver("", work(12)).scraped("containerd://two", totals(2), at("14:00:00"));
        assertThat(row(pod).work()).isEqualTo(work(12));

        SeenPod again = pod.scraped("containerd://two", totals(5), at("14:00:10"))
                .recorded(work(15))
                .scraped("containerd://two", totals(6), at("14:00:20"));
        assertThat(row(again).work()).as("after this controller led twice").isEqualTo(work(16));
    }

    /** The record may have newer totals of the run than this controller, which did not lead for a while. */
    @Test
    void onlyTotalsAfterTheTakeOverTellHowMuchIsNotKnown() {
        SeenPod pod = takenOver("", work(12))
                .scraped("containerd://two", totals(2), at("14:00:00"))
                .recorded(work(19));
        assertThat(row(pod).work()).isEqualTo(work(12));
        assertThat(row(pod.scraped("containerd://two", totals(10), at("14:01:00")))
                        .work())
                .isEqualTo(work(20));
    }

    @Test
    void aContainerThatWasNotStartedAgainHasNoEarlierRun() {
        SeenPod pod = SeenPod.of(pod(READY)).recorded(work(12)).scraped("containerd://one", totals(2), at("14:00:00"));

        assertThat(row(pod).work()).isEqualTo(work(2));
    }

    @Test
    void totalsThatArriveLateChangeNothing() {
        SeenPod pod = SeenPod.of(pod(READY))
                .measured("containerd://one", new ReplicaTotals(5, 0, 50, 60, 100, 9), at("13:58:00"));

        assertThat(pod.measured("containerd://one", new ReplicaTotals(4, 0, 40, 50, 90, 9), at("13:58:01")))
                .isEqualTo(pod);
    }

    /** Answers of scrapes overtake each other, and containers are started again. */
    @Property
    void workIsThatOfAllRunsInWhateverOrderTheirTotalsArrive(
            @ForAll @Size(max = 30) List<@IntRange(max = 3) Integer> runs, @ForAll Random random) {
        Map<Integer, Long> counts = new HashMap<>();
        List<Map.Entry<Integer, Long>> told = new ArrayList<>();
        runs.forEach(run -> told.add(Map.entry(run, counts.merge(run, 1L, Long::sum))));
        Collections.shuffle(told, random);
        SeenPod pod = SeenPod.of(pod(READY));
        long before = 0;
        for (var totals : told) {
            long n = totals.getValue();
            pod = pod.measured("run-" + totals.getKey(), new ReplicaTotals(n, 0, n, n, n, n), at("13:58:00"));
            assertThat(row(pod).work().succeeded()).isGreaterThanOrEqualTo(before);
            before = row(pod).work().succeeded();
        }

        assertThat(before).isEqualTo(runs.size());
    }
}
