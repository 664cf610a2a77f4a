package io.knabla.controller.knative.suite;

import static io.knabla.controller.knative.suite.TestCluster.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.fabric8.knative.serving.v1.Revision;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.Pod;
import io.knabla.controller.knative.resource.FunctionObject;
import io.knabla.functions.unit.Sha256;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;

/** The functions of one namespace: as objects of the cluster, and as their callers see them. */
final class Functions {
    static final Path SAMPLES = TestCluster.ROOT.resolve("functions/samples");
    static final ObjectMapper JSON = new ObjectMapper();

    /** What a replica asks for where many share a node of two processors. */
    static final String LITTLE_CPU = "100m";

    private static final YAMLMapper YAML = new YAMLMapper();

    private static final Set<String> BY_ITSELF = Set.of(
            "configmap/kube-root-ca.crt",
            "serviceaccount/default",
            "networkpolicy.networking.k8s.io/knabla-functions",
            "networkpolicy.networking.k8s.io/knabla-prefill");

    private final TestCluster cluster;
    private final String namespace;
    private final Ingress ingress = new Ingress();

    Functions(TestCluster cluster, String namespace) {
        this.cluster = cluster;
        this.namespace = namespace;
    }

    String namespace() {
        return namespace;
    }

    /** A sample's {@code function.yaml} as a tree. */
    static ObjectNode sample(String name) {
        try {
            return (ObjectNode)
                    YAML.readTree(SAMPLES.resolve(name).resolve("function.yaml").toFile());
        } catch (IOException unreadable) {
            throw new AssertionError(unreadable);
        }
    }

    /** The same in this namespace, its model by a path that leads there from anywhere. */
    ObjectNode forCommandLine(String sample) {
        ObjectNode document = sample(sample);
        document.withObject("metadata").put("namespace", namespace);
        ObjectNode spec = document.withObject("spec");
        spec.put("model", model(sample, spec).toString());
        // Where a test cluster has nodes that only seem to run pods, they are spot nodes.
        spec.putObject("placement").put("capacity", "OnDemand");
        return document;
    }

    /** The same for {@code kubectl}: its model by digest instead of by path. */
    ObjectNode forKubectl(String sample) throws IOException {
        ObjectNode document = forCommandLine(sample);
        ObjectNode spec = document.withObject("spec");
        spec.put("model", digest(Path.of(spec.path("model").asText())));
        return document;
    }

    /** As the API names a model. */
    static String digest(Path model) throws IOException {
        try (var in = Files.newInputStream(model)) {
            return Sha256.of(in).value();
        }
    }

    /** The sample's file as it is written, but for what is this cluster's: kubectl's YAML is an older one than ours. */
    void applyFile(String sample) throws IOException {
        String model = forKubectl(sample).path("spec").path("model").asText();
        String file = Files.readString(SAMPLES.resolve(sample).resolve("function.yaml"))
                .replaceFirst("(?m)^  namespace: .*$", "  namespace: " + namespace)
                .replaceFirst("(?m)^  model: .*$", "  model: " + model + "\n  placement: {capacity: OnDemand}")
                .replaceFirst("cpu: [0-9]+m", "cpu: " + LITTLE_CPU);
        cluster.apply(file).good();
    }

    static Path model(String sample) {
        return model(sample, sample(sample).withObject("spec"));
    }

    private static Path model(String sample, ObjectNode spec) {
        return SAMPLES.resolve(sample).resolve(spec.path("model").asText()).normalize();
    }

    void apply(ObjectNode document) {
        cluster.apply(document.toString()).good();
    }

    FunctionObject get(String name) {
        return cluster.client()
                .resources(FunctionObject.class)
                .inNamespace(namespace)
                .withName(name)
                .get();
    }

    /** The status of condition {@code Ready}, once it speaks of the newest wish. */
    Optional<String> ready(String name) {
        FunctionObject function = get(name);
        if (function == null || function.getStatus() == null) {
            return Optional.empty();
        }
        var status = function.getStatus();
        if (status.observedGeneration() == null
                || status.observedGeneration() < function.getMetadata().getGeneration()
                || status.conditions() == null) {
            return Optional.empty();
        }
        return status.conditions().stream()
                .filter(condition -> condition.getType().equals("Ready"))
                .map(condition -> condition.getStatus())
                .findFirst();
    }

    /** Waits until the newest wish is ready; its whole status is the failure where it does not become so. */
    FunctionObject awaitReady(String name) {
        TestCluster.await().untilAsserted(() -> {
            if (!ready(name).equals(Optional.of("True"))) {
                throw new AssertionError(name + ": " + get(name));
            }
        });
        return get(name);
    }

    void awaitCondition(String name, String type, String status, String reason, String message) {
        TestCluster.await()
                .untilAsserted(() -> assertThat(condition(name, type)).satisfies(now -> {
                    assertThat(now.getStatus()).isEqualTo(status);
                    assertThat(now.getReason()).isEqualTo(reason);
                    assertThat(now.getMessage()).contains(message);
                }));
    }

    private Condition condition(String name, String type) {
        return get(name).getStatus().conditions().stream()
                .filter(condition -> condition.getType().equals(type))
                .findFirst()
                .orElseThrow();
    }

    /** Awaited, because an event is written after the status that it belongs to. */
    void awaitEvents(String name, String... reasons) {
        TestCluster.await().untilAsserted(() -> assertThat(events(name)).contains(reasons));
    }

    /** All that was told of it, a line each: the reason and the sentence. */
    String events(String name) {
        return cluster.client().events().v1().events().inNamespace(namespace).list().getItems().stream()
                .filter(event -> event.getRegarding().getKind().equals("Function"))
                .filter(event -> event.getRegarding().getName().equals(name))
                .map(event -> event.getReason() + ": " + event.getNote())
                .collect(Collectors.joining("\n"));
    }

    /** Gives a controller a sample's model, as the command line does before it applies the function. */
    void upload(URI controller, String sample) {
        upload(controller, model(sample));
    }

    /** Gives a controller the model of this file. */
    void upload(URI controller, Path model) {
        try (var in = Files.newInputStream(model);
                var http = HttpClient.newHttpClient()) {
            URI place = controller.resolve("/api/v1/models/" + Sha256.of(in).value());
            HttpResponse<String> answer = http.send(
                    HttpRequest.newBuilder(place)
                            .PUT(BodyPublishers.ofFile(model))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            assertThat(answer.statusCode()).as(answer.body()).isLessThan(300);
        } catch (IOException unreadable) {
            throw new AssertionError(unreadable);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new AssertionError(stopped);
        }
    }

    /** Awaited, because replicas are counted after the condition that a test has waited for. */
    void awaitColumns(String name, Map<String, String> expected) {
        await().untilAsserted(() -> assertThat(columns(name)).containsAllEntriesOf(expected));
    }

    /** One line of {@code kubectl get fn}, by column. */
    Map<String, String> columns(String name) {
        List<String> lines = cluster.kubectl("-n", namespace, "get", "fn", name)
                .good()
                .out()
                .lines()
                .toList();
        String head = lines.getFirst();
        String row = lines.getLast();
        // Columns are as wide as their widest cell, so both lines are cut at the headings.
        int[] starts = IntStream.range(0, head.length())
                .filter(i -> head.charAt(i) != ' ' && (i == 0 || head.charAt(i - 1) == ' '))
                .toArray();
        var columns = new LinkedHashMap<String, String>();
        for (int i = 0; i < starts.length; i++) {
            int end = i + 1 < starts.length ? starts[i + 1] : Math.max(head.length(), row.length());
            columns.put(cut(head, starts[i], end), cut(row, starts[i], end));
        }
        return columns;
    }

    private static String cut(String line, int from, int to) {
        return from >= line.length()
                ? ""
                : line.substring(from, Math.min(to, line.length())).strip();
    }

    /** Those that are not about to end. */
    List<Pod> pods(String name) {
        return cluster
                .client()
                .pods()
                .inNamespace(namespace)
                .withLabel("knabla.dev/function", name)
                .list()
                .getItems()
                .stream()
                .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
                .toList();
    }

    /** The last lines of all containers of its pods, those that end included; gone with the namespace. */
    String logs(String name) {
        return cluster.kubectl(
                        "-n",
                        namespace,
                        "logs",
                        "-l",
                        "knabla.dev/function=" + name,
                        "--all-containers",
                        "--prefix",
                        "--tail=30")
                .out();
    }

    /** That of the namespace's one Revision. */
    String image() {
        return cluster.client()
                .resources(Revision.class)
                .inNamespace(namespace)
                .list()
                .getItems()
                .getFirst()
                .getSpec()
                .getContainers()
                .getFirst()
                .getImage();
    }

    HttpResponse<byte[]> post(String name, String path, byte[] body, Map<String, String> headers) {
        return ingress.post(get(name).getStatus().url() + path, body, headers);
    }

    /** What the sample's request is answered, through Knative's data path. */
    HttpResponse<byte[]> infer(String name, String sample) throws IOException {
        byte[] request = Files.readAllBytes(SAMPLES.resolve(sample).resolve("request.json"));
        return post(name, "/v2/models/" + name + "/infer", request, Map.of("Content-Type", "application/json"));
    }

    /** Calls a function that has the sample's name; returns its first answer. */
    HttpResponse<byte[]> answersAsExpected(String sample) throws IOException {
        HttpResponse<byte[]> first = infer(sample, sample);
        JsonNode answer = json(first);
        for (JsonNode output : expected(sample).path("outputs")) {
            String name = output.path("name").asText();
            assertThat(numbers(output(answer, name))).as(name).containsExactly(numbers(output), within(1e-4));
        }
        if (type(sample).equals("TrainingStep")) {
            assertThat(numbers(output(json(infer(sample, sample)), "loss"))[0])
                    .as("one step with the same batch lowers its loss")
                    .isLessThan(numbers(output(answer, "loss"))[0]);
        }
        return first;
    }

    static String type(String sample) {
        return sample(sample).at("/spec/type").asText();
    }

    static JsonNode json(HttpResponse<byte[]> answer) {
        String text = new String(answer.body(), StandardCharsets.UTF_8);
        if (answer.statusCode() != 200) {
            throw new AssertionError(answer.statusCode() + ": " + text);
        }
        try {
            return JSON.readTree(text);
        } catch (IOException none) {
            throw new AssertionError("no JSON: " + text, none);
        }
    }

    static JsonNode expected(String sample) throws IOException {
        return JSON.readTree(SAMPLES.resolve(sample).resolve("expected.json").toFile());
    }

    static JsonNode output(JsonNode answer, String name) {
        return StreamSupport.stream(answer.path("outputs").spliterator(), false)
                .filter(output -> output.path("name").asText().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no output " + name + " in " + answer));
    }

    static double[] numbers(JsonNode output) {
        return StreamSupport.stream(output.path("data").spliterator(), false)
                .mapToDouble(JsonNode::asDouble)
                .toArray();
    }

    /** Every object in the namespace but what each namespace has by itself, and events. */
    List<String> everything() {
        String kinds = cluster.kubectl("api-resources", "--verbs=list", "--namespaced", "-o", "name")
                .good()
                .out()
                .lines()
                .filter(kind -> !kind.startsWith("events"))
                .collect(Collectors.joining(","));
        return cluster.kubectl("-n", namespace, "get", kinds, "-o", "name")
                .good()
                .out()
                .lines()
                .filter(object -> !BY_ITSELF.contains(object))
                .toList();
    }
}
