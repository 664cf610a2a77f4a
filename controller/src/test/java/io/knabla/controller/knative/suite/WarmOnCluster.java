package io.knabla.controller.knative.suite;

import static io.knabla.controller.knative.suite.TestCluster.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.knative.serving.v1.Revision;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Keep-warm raises and lowers the minimum scale of a live Revision: pods come and go without a request or a deploy. */
class WarmOnCluster {
    @RegisterExtension
    @Order(1)
    static final TestCluster cluster = new TestCluster();

    @RegisterExtension
    @Order(2)
    static final InstalledPlatform platform = new InstalledPlatform(cluster);

    @TempDir
    Path folder;

    private static Functions functions;

    @BeforeAll
    static void makeNamespace() throws IOException {
        functions = new Functions(cluster, cluster.namespace("warm"));
        FunctionNamespace.apply(cluster, functions.namespace());
    }

    @Test
    void startsAndStopsPodsOfALiveRevision() throws IOException {
        deploy("Never");
        await().untilAsserted(() -> assertThat(functions.pods("add-sub")).isEmpty());
        List<String> revisions = revisions();

        deploy("Always");
        await().untilAsserted(() -> assertThat(functions.pods("add-sub")).hasSize(1));
        deploy("Never");
        await().untilAsserted(() -> assertThat(functions.pods("add-sub")).isEmpty());

        assertThat(revisions()).isEqualTo(revisions);
    }

    private void deploy(String policy) throws IOException {
        ObjectNode document = functions.forCommandLine("add-sub");
        document.withObject("spec").withObject("scaling").put("idleAfter", "6s");
        document.withObject("spec").putObject("keepWarm").put("policy", policy);
        Path file = Files.writeString(folder.resolve("deploy.yaml"), document.toString());
        platform.knabla("deploy", "-f", file.toString(), "-n", functions.namespace())
                .good();
    }

    private static List<String> revisions() {
        return cluster.client().resources(Revision.class).inNamespace(functions.namespace()).list().getItems().stream()
                .map(revision -> revision.getMetadata().getName())
                .toList();
    }
}
