package io.knabla.controller.knative.usage;

import static io.knabla.controller.knative.usage.Objects.READY;
import static io.knabla.controller.knative.usage.Objects.pod;
import static io.knabla.controller.standin.AwaitSupport.await;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.LabelSelectorRequirement;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyEgressRule;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPeer;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.knabla.controller.knative.KnativeView;
import io.knabla.controller.knative.WorkloadLabels;
import io.knabla.controller.knative.resource.Labels;
import io.knabla.controller.platform.VersionKey;
import io.knabla.controller.standin.ToyWorkload;
import io.knabla.controller.usage.ReplicaInterval;
import io.knabla.controller.usage.Work;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@EnableKubernetesMockClient(https = false, crud = true)
class ReplicaScraperTest {
    KubernetesClient client;
    private KnativeView view;
    private ClusterUsage usage;
    private final VersionUtilizations utilizations = new VersionUtilizations(_ -> 0.5, InstantSource.system());
    private ReplicaScraper scraper;
    private HttpServer replica;
    private volatile String answer = "nv_inference_request_success 7\n";

    @BeforeEach
    void open() throws IOException {
        replica = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        replica.createContext("/metrics", exchange -> {
            byte[] body = answer.getBytes(UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        replica.start();
        view = KnativeView.open(client, List.of());
        usage = ClusterUsage.open(view, new EndEvents(client), Clock.systemUTC(), () -> true);
        scraper = new ReplicaScraper(usage, utilizations);
    }

    @AfterEach
    void close() {
        scraper.close();
        view.close();
        replica.stop(0);
    }

    @Test
    void totalsComeFromThePortOfTheReplicaItself() {
        client.resource(listening(replica.getAddress().getPort())).create();
        await().until(() -> usage.readyPods().size() == 1);

        scraper.start();

        await().untilAsserted(() -> assertThat(usage.replicas())
                .extracting(ReplicaInterval::work)
                .containsExactly(new Work(7, 0, 0, 0, 0)));
    }

    /** Who leaves no packet to them reads no totals, and takes their nodes for lost. */
    @Test
    void theInstalledControllerReachesAllWorkloads() throws IOException {
        String first =
                Files.readString(Path.of("../k8s/base/network/controller.yaml")).split("(?m)^---")[0];
        NetworkPolicy policy = Serialization.unmarshal(first, NetworkPolicy.class);

        assertThat(policy.getSpec().getEgress())
                .flatExtracting(NetworkPolicyEgressRule::getTo)
                .extracting(NetworkPolicyPeer::getPodSelector)
                .filteredOn(pods -> pods != null)
                .flatExtracting(LabelSelector::getMatchExpressions)
                .extracting(LabelSelectorRequirement::getKey)
                .contains(Labels.VERSION);
        assertThat(ToyWorkload.pod("a", Instant.EPOCH).getMetadata().getLabels())
                .containsKey(Labels.VERSION);
    }

    @Test
    void theStartIsAsTheReplicaReportsIt() {
        client.resource(listening(replica.getAddress().getPort())).create();
        await().until(() -> usage.readyPods().size() == 1);
        answer += """
                knabla_start_phase_milliseconds{model="m",version="1",phase="fetch"} 90
                knabla_start_phase_milliseconds{model="m",version="1",phase="load"} 12
                knabla_start_phase_milliseconds{model="m",version="1",phase="place"} -1
                """;
        scraper.read(usage.readyPods());
        Map<String, Duration> reported = Map.of("fetch", Duration.ofMillis(90), "load", Duration.ofMillis(12));
        assertThat(usage.replicas()).extracting(ReplicaInterval::startPhases).containsExactly(reported);

        answer = answer.replace(" 90", " 70");
        scraper.read(usage.readyPods());
        assertThat(usage.replicas()).extracting(ReplicaInterval::startPhases).containsExactly(reported);
    }

    @Test
    void theUtilizationCountsForItsVersion() {
        client.resource(listening(replica.getAddress().getPort())).create();
        await().until(() -> usage.readyPods().size() == 1);
        VersionKey version =
                WorkloadLabels.version(usage.readyPods().getFirst()).orElseThrow();
        answer += "knabla_generation_utilization_ratio{model=\"m\",version=\"1\"} 1.25\n";

        scraper.start();

        await().until(() -> utilizations.minimum(version.function(), version.version()) == 3);
    }

    @Test
    void aReplicaThatDoesNotAnswerOrSaysTooMuchLosesNothing() throws IOException {
        client.resource(listening(replica.getAddress().getPort())).create();
        await().until(() -> usage.readyPods().size() == 1);
        scraper.read(usage.readyPods());

        answer = "nv_inference_request_success 9\n" + "#".repeat(1 << 19);
        scraper.read(usage.readyPods());
        replica.stop(0);
        scraper.read(usage.readyPods());

        assertThat(usage.replicas()).extracting(ReplicaInterval::work).containsExactly(new Work(7, 0, 0, 0, 0));
    }

    /** Its head arrives, and its body never ends. */
    @Test
    void aReplicaThatStallsStopsNoOtherRead() throws IOException {
        try (var stalled = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> answerHalf(stalled));
            client.resource(listening(stalled.getLocalPort())).create();
            await().until(() -> usage.readyPods().size() == 1);

            scraper.read(usage.readyPods());
        }
        assertThat(usage.replicas()).extracting(ReplicaInterval::work).containsExactly(Work.NONE);
    }

    private static void answerHalf(ServerSocket server) {
        try (Socket client = server.accept()) {
            client.getOutputStream().write("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nnv".getBytes(UTF_8));
            client.getInputStream().transferTo(OutputStream.nullOutputStream());
        } catch (IOException ended) {
            // The client gave up.
        }
    }

    @Test
    void thePortIsKnativesUnlessThePodNamesAnother() {
        Pod plain = pod(READY);
        plain.getSpec().getContainers().getFirst().setPorts(List.of());
        plain.getStatus().setPodIP("fd00::7");

        assertThat(ReplicaScraper.address(plain)).hasToString("http://[fd00::7]:8080/metrics");
    }

    private static Pod listening(int port) {
        Pod pod = pod(READY);
        pod.getStatus().setPodIP("127.0.0.1");
        pod.getSpec().getContainers().getFirst().getPorts().getFirst().setContainerPort(port);
        return pod;
    }
}
