package io.knabla.controller.knative.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertAll;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Deploys every sample by the command line and by {@code kubectl}, and calls it. */
@Order(SuiteOrder.COMPUTES)
class SamplesOnCluster {
    @RegisterExtension
    @Order(1)
    static final TestCluster cluster = new TestCluster();

    @RegisterExtension
    @Order(2)
    static final InstalledPlatform platform = new InstalledPlatform(cluster);

    private static final List<String> SAMPLES =
            List.of("add-sub", "digits", "digits-gradient", "digits-training", "exp", "lecture", "text-similarity");

    @TempDir
    Path folder;

    private Functions functions;

    /** At once: where there are processors for it, none waits for another. */
    @Test
    void samplesAnswer() throws IOException {
        functions = new Functions(cluster, cluster.namespace("samples"));
        FunctionNamespace.apply(cluster, functions.namespace());
        try (ExecutorService threads = Executors.newFixedThreadPool(SAMPLES.size())) {
            List<Future<Void>> all = SAMPLES.stream()
                    .map(sample -> threads.submit((Callable<Void>) () -> answers(sample)))
                    .toList();
            assertAll(all.stream().map(one -> one::get));
        }
    }

    /** Both ways lead to the same: the second brings no bytes, for it names the model by its digest. */
    private Void answers(String sample) throws IOException {
        JsonNode deployed = deploy(sample);
        assertThat(deployed.path("result").asText()).isEqualTo("deployed");
        assertThat(deployed.path("version").asInt()).isEqualTo(1);
        String url = deployed.path("url").asText();
        assertThat(url).isEqualTo(functions.get(sample).getStatus().url());
        functions.answersAsExpected(sample);
        assertThat(deploy(sample).path("result").asText()).isEqualTo("unchanged");
        functions.awaitColumns(
                sample,
                Map.of(
                        "NAME",
                        sample,
                        "URL",
                        url,
                        "READY",
                        "True",
                        "TYPE",
                        Functions.type(sample),
                        "VERSION",
                        "1",
                        "POOL",
                        "cpu"));
        assertThat(functions.columns(sample)).containsKeys("SPOT", "ON-DEMAND", "AGE");
        platform.knabla("delete", sample, "-n", functions.namespace()).good();

        functions.applyFile(sample);
        functions.awaitReady(sample);
        functions.answersAsExpected(sample);
        cluster.kubectl("-n", functions.namespace(), "delete", "fn", sample).good();
        return null;
    }

    private JsonNode deploy(String sample) throws IOException {
        ObjectNode document = functions.forCommandLine(sample);
        document.withObject("spec").withObject("resources").put("cpu", Functions.LITTLE_CPU);
        Path file = Files.writeString(folder.resolve(sample + ".yaml"), document.toString());
        Ran ran = platform.knabla("deploy", "-f", file.toString(), "-n", functions.namespace(), "-o", "json");
        return Functions.JSON.readTree(ran.good().out());
    }
}
