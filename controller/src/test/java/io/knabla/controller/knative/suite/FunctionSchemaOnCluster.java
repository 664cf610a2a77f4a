package io.knabla.controller.knative.suite;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.knabla.functions.Fault;
import io.knabla.functions.spec.BadSpecs;
import io.knabla.functions.spec.FunctionYaml;
import io.knabla.functions.spec.Parsed;
import io.knabla.functions.spec.Parsed.Invalid;
import io.knabla.functions.spec.Parsed.Valid;
import io.knabla.functions.spec.RandomFunctions;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The API server takes what the reader of function.yaml takes, and refuses what it refuses, at the same path. */
class FunctionSchemaOnCluster {
    @RegisterExtension
    static final TestCluster cluster = new TestCluster();

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final YAMLMapper YAML = new YAMLMapper();
    private static final String MODEL = "s3://bucket/model.onnx";

    private static String namespace;

    @BeforeAll
    static void open() {
        namespace = cluster.namespace("crd");
    }

    private sealed interface Verdict {
        /** With every default that the API server fills in. */
        record Accepted(String object) implements Verdict {}

        record Refused(String sentence) implements Verdict {}
    }

    /** What a create would answer; nothing is created. */
    private static Verdict ask(JsonNode document) {
        String path = "/apis/knabla.dev/v1alpha1/namespaces/%s/functions?dryRun=All&fieldValidation=Strict"
                .formatted(namespace);
        try {
            return new Verdict.Accepted(cluster.client().raw(path, "POST", document));
        } catch (KubernetesClientException refused) {
            assertThat(refused.getCode()).as(refused.getMessage()).isIn(400, 422);
            return new Verdict.Refused(refused.getMessage());
        }
    }

    private static ObjectNode json(String yaml) throws JsonProcessingException {
        ObjectNode document = (ObjectNode) YAML.readTree(yaml);
        document.withObject("/metadata").put("namespace", namespace);
        return document;
    }

    /**
     * What a rule there cannot know (hours of a day, time zones) or afford (each key of a map), so that the condition
     * says it; and numbers that JSON has none of.
     */
    private static final List<String> BEYOND_IT =
            List.of("'0 25 * * *'", "timezone: Berlin", "externalData: {../w", "externalData: {/w", ".nan", ".inf");

    private static boolean isBeyondIt(BadSpecs.Row row) {
        return BEYOND_IT.stream().anyMatch(row.content()::contains);
    }

    static Stream<BadSpecs.Row> badSpecs() {
        return BadSpecs.all().stream().filter(Predicate.not(FunctionSchemaOnCluster::isBeyondIt));
    }

    @ParameterizedTest
    @MethodSource("badSpecs")
    void whatTheReaderRefusesIsRefusedAtTheSamePath(BadSpecs.Row row) throws Exception {
        ObjectNode document = json(row.document("model: " + MODEL));

        Verdict verdict = ask(document);

        switch (FunctionYaml.parse(document.toString())) {
            case Valid _ -> assertThat(verdict).isInstanceOf(Verdict.Accepted.class);
            case Invalid(var faults) ->
                assertThat(verdict)
                        .isInstanceOfSatisfying(
                                Verdict.Refused.class,
                                refused -> assertThat(refused.sentence()).contains(paths(faults)));
        }
    }

    /** The server names an unknown key's path another way once it needs quotes. */
    private static List<String> paths(List<Fault> faults) {
        return faults.stream()
                .map(Fault::path)
                .map(path -> path.replaceAll("\\['.*", ""))
                .toList();
    }

    static IntStream seeds() {
        return IntStream.range(0, 150);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void anyFunctionIsJudgedAlikeAndReadsBackTheSame(int seed) throws Exception {
        Random random = new Random(seed);
        ObjectNode document = FunctionYaml.toJson(RandomFunctions.resource(random));
        onACluster(document);
        for (int i = random.nextInt(3); i > 0; i--) {
            spoil(document.get("spec"), random);
        }
        stored(document.get("spec"));
        Parsed ours = FunctionYaml.parse(document.toString());

        switch (ask(document)) {
            case Verdict.Accepted(String object) -> {
                Parsed readBack = FunctionYaml.parse(object);
                assertThat(readBack).as("%s%n%s", document, object).isEqualTo(ours);
                assertThat(ours).isInstanceOf(Valid.class);
            }
            case Verdict.Refused(String sentence) ->
                assertThat(ours).as("%s%n%s", document, sentence).isInstanceOf(Invalid.class);
        }
    }

    /** Under a name that is free. */
    private static void onACluster(ObjectNode document) {
        document.withObject("/metadata").put("namespace", namespace).put("name", "a");
        stored(document.get("spec"));
    }

    /** No paths: that they are refused on a cluster alone has a test of its own. */
    private static void stored(JsonNode spec) {
        ((ObjectNode) spec).put("model", MODEL);
        if (spec.at("/quantize/calibration").isTextual()) {
            spec.withObject("/quantize").put("calibration", "s3://bucket/c.json");
        }
    }

    private static void spoil(JsonNode node, Random random) throws JsonProcessingException {
        List<String> keys = new ArrayList<>();
        node.fieldNames().forEachRemaining(keys::add);
        if (node instanceof ArrayNode items && !items.isEmpty()) {
            spoil(items.get(random.nextInt(items.size())), random);
        }
        if (!(node instanceof ObjectNode block) || keys.isEmpty()) {
            return;
        }
        String key = keys.get(random.nextInt(keys.size()));
        if (block.get(key).isContainerNode() && random.nextInt(4) > 0) {
            spoil(block.get(key), random);
            return;
        }
        switch (random.nextInt(4)) {
            case 0 -> block.remove(key);
            case 1 -> block.put(key + "s", 1);
            default -> block.set(key, JSON.readTree(ODD.get(random.nextInt(ODD.size()))));
        }
    }

    private static final List<String> ODD = List.of(
            "null",
            "-1",
            "0",
            "1",
            "7",
            "1001",
            "true",
            "[]",
            "{}",
            "\"\"",
            "\"x\"",
            "\"10m\"",
            "\"1h30m\"",
            "\"2h\"",
            "\"512Mi\"",
            "\"1.5\"",
            "\"None\"",
            "\"Spot\"",
            "\"Fixed\"",
            "\"Gradient\"",
            "\"TrainingStep\"",
            "\"auto\"",
            "[1]",
            "[null]");

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            digits.onnx    | kubectl sends no files; write s3://bucket/key
            ./models/a b   | kubectl sends no files
            file:///a.onnx | or let the command line send it: ./knabla deploy -f function.yaml --context NAME
            s3://bucket    | write s3://bucket/key, or sha256:
            """)
    void aPathIsNoModelUnderKubectl(String model, String sentence) throws Exception {
        ObjectNode document = json(BadSpecs.all().getFirst().document("model: x"));
        document.putObject("spec").put("model", model);

        assertThat(ask(document))
                .isInstanceOfSatisfying(
                        Verdict.Refused.class,
                        refused -> assertThat(refused.sentence()).contains("spec.model", sentence));
    }

    @Test
    void aNameThatNoServiceCanHaveIsRefused() throws Exception {
        ObjectNode document = json(BadSpecs.all().getFirst().document("model: x"));
        document.putObject("spec").put("model", MODEL);
        document.withObject("/metadata").put("name", "1st");

        assertThat(ask(document))
                .isInstanceOfSatisfying(
                        Verdict.Refused.class,
                        refused -> assertThat(refused.sentence()).contains("metadata.name", "begin with a letter"));
    }
}
