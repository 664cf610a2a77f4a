package io.knabla.controller.knative.usage;

import static java.lang.System.Logger.Level.DEBUG;

import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.Pod;
import io.knabla.controller.config.Lifecycle;
import io.knabla.controller.config.PeriodicTask;
import io.knabla.controller.http.TimedHttp;
import io.knabla.controller.knative.WorkloadLabels;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;

/**
 * Reads the totals and the utilization of each ready replica from its own port, every few seconds: a call through
 * Knative's queue-proxy would count as a request and keep the function awake. A replica that does not answer is asked
 * again the next time; its totals are cumulative, so nothing is lost but freshness.
 */
public final class ReplicaScraper implements Lifecycle {
    private static final System.Logger LOG = System.getLogger(ReplicaScraper.class.getName());
    private static final Duration PERIOD = Duration.ofSeconds(10);
    private static final Duration TIMEOUT = Duration.ofSeconds(3);
    private static final int AT_ONCE = 32;
    private static final int MOST_BYTES = 1 << 18;

    /** Port that Knative gives a container without ports of its own, and the name it gives that port. */
    private static final int PORT = 8080;

    private static final String PORT_NAME = "user-port";

    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(TIMEOUT).build();
    private final Semaphore turns = new Semaphore(AT_ONCE);
    private final PeriodicTask task = new PeriodicTask("knabla-usage", "read the totals of replicas", this::round);
    private final ClusterUsage usage;
    private final VersionUtilizations utilizations;

    ReplicaScraper(ClusterUsage usage, VersionUtilizations utilizations) {
        this.usage = usage;
        this.utilizations = utilizations;
    }

    @Override
    public void start() {
        task.start(Duration.ZERO, PERIOD);
    }

    private void round() {
        if (usage.hasSynced()) {
            read(usage.readyPods());
        }
    }

    /** Returns when all have answered, or failed to. */
    void read(List<Pod> pods) {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            pods.stream()
                    .filter(pod -> pod.getStatus().getPodIP() != null)
                    .forEach(pod -> threads.execute(() -> inTurn(pod)));
        }
        utilizations.decide();
    }

    private void inTurn(Pod pod) {
        turns.acquireUninterruptibly();
        try {
            read(pod);
        } catch (IOException silent) {
            LOG.log(DEBUG, "no totals from pod {0}: {1}", pod.getMetadata().getName(), silent.getMessage());
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
        } finally {
            turns.release();
        }
    }

    private void read(Pod pod) throws IOException, InterruptedException {
        String run = PodStatusReader.replica(pod)
                .map(container -> Objects.toString(container.getContainerID(), ""))
                .orElse("");
        HttpRequest request =
                HttpRequest.newBuilder(address(pod)).timeout(TIMEOUT).build();
        HttpResponse<String> answer =
                TimedHttp.send(http, request, BodyHandlers.limiting(BodyHandlers.ofString(), MOST_BYTES));
        if (answer.statusCode() == 200) {
            ReportedTotals.ofMetrics(answer.body())
                    .ifPresent(totals -> usage.measured(
                            pod.getMetadata().getUid(), run, totals, ReportedTotals.startPhases(answer.body())));
            WorkloadLabels.version(pod)
                    .ifPresent(version -> ReportedTotals.utilization(answer.body())
                            .ifPresent(part -> utilizations.reported(version, part)));
        }
    }

    /** Where a replica answers; the pod must have an address. */
    public static URI address(Pod pod) {
        String ip = pod.getStatus().getPodIP();
        int port = pod.getSpec().getContainers().stream()
                .filter(container -> PodStatusReader.REPLICA.equals(container.getName()))
                .flatMap(container -> container.getPorts().stream())
                .filter(it -> PORT_NAME.equals(it.getName()))
                .map(ContainerPort::getContainerPort)
                .findFirst()
                .orElse(PORT);
        return URI.create("http://%s:%d/metrics".formatted(ip.contains(":") ? "[" + ip + "]" : ip, port));
    }

    @Override
    public void close() {
        task.close();
        http.shutdownNow();
    }
}
