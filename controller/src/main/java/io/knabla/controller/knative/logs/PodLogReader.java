package io.knabla.controller.knative.logs;

import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.knabla.controller.platform.FunctionLogs;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Follows the logs of a function's pods: polls each existing pod for its new lines, at most once a second. New pods and
 * restarted containers need no special case.
 */
final class PodLogReader implements FunctionLogs.Cursor {
    private static final String CONTAINER = "replica";
    private static final Duration PAUSE = Duration.ofSeconds(1);

    /** Lines of one pod per poll; older lines are skipped. */
    private static final int MOST_AT_ONCE = 10_000;

    /** Bytes of all pods together per poll: endless output must not fill the heap. */
    private static final int MOST_BYTES = 4 << 20;

    /** Limits of one pod per poll: the last lines, and of those the first bytes. */
    private record PollLimit(int lines, int bytes) {
        boolean cut(String text) {
            return text.getBytes(StandardCharsets.UTF_8).length >= bytes;
        }
    }

    private final KubernetesClient client;
    private final Supplier<List<Pod>> pods;
    private final LongSupplier nanos;
    private final Map<String, Instant> lastRead = new HashMap<>();
    private boolean begun;
    private long asked;

    /** @param nanos a clock that never goes back, in nanoseconds */
    PodLogReader(KubernetesClient client, Supplier<List<Pod>> pods, LongSupplier nanos) {
        this.client = client;
        this.pods = pods;
        this.nanos = nanos;
    }

    @Override
    public List<String> readNew(int most) {
        long now = nanos.getAsLong();
        if (most == 0 || begun && now - asked < PAUSE.toNanos()) {
            begun = true;
            return List.of();
        }
        List<Pod> writing = pods.get().stream().filter(PodLogReader::hasWritten).toList();
        var each = new PollLimit(Math.min(most, MOST_AT_ONCE), MOST_BYTES / Math.max(1, writing.size()));
        List<LogLine> news = writing.stream()
                .flatMap(pod -> newLines(pod, each).stream())
                .sorted(LogLine.BY_TIME)
                .toList();
        begun = true;
        asked = now;
        return news.subList(Math.max(0, news.size() - most), news.size()).stream()
                .map(LogLine::toString)
                .toList();
    }

    /** A container that never ran has no log. */
    private static boolean hasWritten(Pod pod) {
        return pod.getStatus() != null
                && pod.getStatus().getContainerStatuses().stream()
                        .filter(container -> container.getName().equals(CONTAINER))
                        .anyMatch(PodLogReader::hasRun);
    }

    private static boolean hasRun(ContainerStatus container) {
        return container.getRestartCount() != null && container.getRestartCount() > 0
                || container.getState() != null
                        && (container.getState().getRunning() != null
                                || container.getState().getTerminated() != null);
    }

    private List<LogLine> newLines(Pod pod, PollLimit bound) {
        String name = pod.getMetadata().getName();
        Instant before = lastRead.get(name);
        try {
            String text = ask(pod, before, bound);
            List<LogLine> lines = text.lines()
                    .map(line -> LogLine.of(name, line))
                    .filter(line -> before == null || line.at().isAfter(before))
                    .toList();
            lines.stream()
                    .map(LogLine::at)
                    .max(Instant::compareTo)
                    .or(() -> Optional.ofNullable(before).map(at -> past(at, bound.cut(text))))
                    .ifPresent(latest -> lastRead.put(name, latest));
            return lines;
        } catch (KubernetesClientException gone) {
            // The node is gone, or the pod was deleted meanwhile; the next poll lists the pods again.
            return List.of();
        }
    }

    /** Skips to the next second if the log was cut: the API takes whole seconds, so the rest cannot be read. */
    private static Instant past(Instant before, boolean cut) {
        return cut ? before.truncatedTo(ChronoUnit.SECONDS).plusSeconds(1) : before;
    }

    private String ask(Pod pod, Instant before, PollLimit bound) {
        String since = before == null ? "" : "&sinceTime=" + before.truncatedTo(ChronoUnit.SECONDS);
        return new PodLogRequest(
                        pod.getMetadata().getNamespace(),
                        pod.getMetadata().getName(),
                        CONTAINER,
                        "timestamps=true&tailLines=%d&limitBytes=%d%s".formatted(bound.lines(), bound.bytes(), since))
                .read(client)
                .orElse("");
    }

    @Override
    public void close() {}
}
