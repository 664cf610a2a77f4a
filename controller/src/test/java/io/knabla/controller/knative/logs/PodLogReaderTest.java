package io.knabla.controller.knative.logs;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

@EnableKubernetesMockClient(https = false)
class PodLogReaderTest {
    private static final String LOG =
            "/api/v1/namespaces/shop/pods/%s/log?container=replica&timestamps=true&tailLines=%d&limitBytes=%d%s";
    private static final int MOST_BYTES = 4 << 20;

    KubernetesMockServer server;
    KubernetesClient client;
    private final List<Pod> pods = new ArrayList<>();
    private long now;

    private PodLogReader reading() {
        return new PodLogReader(client, () -> pods, () -> now);
    }

    private void says(String pod, String since, int tail, String text) {
        server.expect()
                .get()
                .withPath(LOG.formatted(pod, tail, MOST_BYTES / pods.size(), since))
                .andReturn(200, text)
                .once();
    }

    private static Pod running(String name) {
        return new PodBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace("shop")
                .endMetadata()
                .withNewStatus()
                .addNewContainerStatus()
                .withName("replica")
                .withNewState()
                .withNewRunning()
                .endRunning()
                .endState()
                .endContainerStatus()
                .endStatus()
                .build();
    }

    @Test
    void readsTheLastLinesOfAllPodsInOrderOfTime() {
        pods.add(running("a"));
        pods.add(running("b"));
        says("a", "", 3, "2026-01-01T00:00:01.5Z one\n2026-01-01T00:00:04Z four\n");
        says("b", "", 3, "2026-01-01T00:00:02Z two\n2026-01-01T00:00:03Z three\n");
        pods.add(new PodBuilder(running("c")).withNewStatus().endStatus().build());

        assertThat(reading().readNew(3)).containsExactly("[b] two", "[b] three", "[a] four");
    }

    @Test
    void readsOnlyNewLinesAndAtMostOnceASecond() {
        pods.add(running("a"));
        says("a", "", 10, "2026-01-01T00:00:01.5Z one\n");
        PodLogReader reading = reading();
        assertThat(reading.readNew(10)).containsExactly("[a] one");

        now += 999_999_999;
        assertThat(reading.readNew(Integer.MAX_VALUE)).isEmpty();
        now += 1;
        says(
                "a",
                "&sinceTime=2026-01-01T00:00:01Z",
                10_000,
                "2026-01-01T00:00:01.5Z one\n2026-01-01T00:00:01.7Z again\n");
        assertThat(reading.readNew(Integer.MAX_VALUE)).containsExactly("[a] again");
    }

    @Test
    void skipsTheRestOfASecondWithTooMuchOutput() {
        pods.add(running("a"));
        String flood = "2026-01-01T00:00:01.5Z " + "x".repeat(MOST_BYTES);
        says("a", "", 10_000, flood.substring(0, MOST_BYTES));
        PodLogReader reading = reading();
        assertThat(reading.readNew(Integer.MAX_VALUE)).hasSize(1);

        says("a", "&sinceTime=2026-01-01T00:00:01Z", 10_000, flood.substring(0, MOST_BYTES));
        now += 1_000_000_000;
        assertThat(reading.readNew(Integer.MAX_VALUE)).isEmpty();

        says("a", "&sinceTime=2026-01-01T00:00:02Z", 10_000, "2026-01-01T00:00:02.1Z on\n");
        now += 1_000_000_000;
        assertThat(reading.readNew(Integer.MAX_VALUE)).containsExactly("[a] on");
    }

    @Test
    void ignoresADeletedPod() {
        pods.add(running("gone"));
        assertThat(reading().readNew(10)).isEmpty();
    }
}
