package io.knabla.controller.bucket;

import static io.knabla.controller.standin.AwaitSupport.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.knabla.controller.kill.PlatformProcess;
import io.knabla.controller.training.FunctionClient;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two controllers with separate homes on one bucket: neither loses or repeats work of the other. */
@Tag("faults")
class TwoControllersIT {
    private static final String API = "/api/v1/functions/default/";
    private static final String SUM = "add-sub";
    private static final String TRAINING = "digits-training";
    private static final int DEPLOYS = 6;
    private static final int STEPS = 15;

    @TempDir
    static Path folder;

    private static Bucket bucket;
    private static PlatformProcess left;
    private static PlatformProcess right;
    private static FunctionClient one;
    private static FunctionClient other;

    @BeforeAll
    static void start() throws IOException {
        bucket = new Bucket(folder);
        left = bucket.platform("left");
        right = bucket.platform("right");
        one = new FunctionClient(left.address());
        other = new FunctionClient(right.address());
    }

    @AfterEach
    void deleteAll() {
        for (JsonNode function : one.get("/api/v1/functions").path("items")) {
            one.send("DELETE", API + function.path("name").asText(), BodyPublishers.noBody());
        }
        for (FunctionClient side : List.of(one, other)) {
            await().until(() -> side.get("/api/v1/functions").path("items").isEmpty());
        }
    }

    @AfterAll
    static void stop() {
        left.close();
        right.close();
        bucket.close();
    }

    @Test
    void servesChangesOfTheOtherController() throws IOException {
        String request = Files.readString(FunctionClient.SAMPLES.resolve(SUM).resolve("request.json"));
        one.deploySample(SUM);
        JsonNode sum = one.infer(SUM, request).path("outputs");
        assertThat(other.infer(SUM, request).path("outputs")).isEqualTo(sum);

        other.knabla("deploy", "-f", changed(SUM, 7).toString());
        await().until(() -> version(one, request).equals("2"));
        one.knabla("rollback", SUM, "--to", "1");
        await().until(() -> version(other, request).equals("1"));
        other.knabla("traffic", SUM, "2=100");
        await().until(() -> version(one, request).equals("2"));

        one.knabla("delete", SUM);
        await().until(() -> call(other, SUM, request).statusCode() == 404);
        assertThat(other.get("/api/v1/functions").path("items")).isEmpty();
    }

    @Test
    void keepsAllConcurrentDeploys() throws Exception {
        one.deploySample(SUM);
        List<Callable<Void>> deploys = new ArrayList<>();
        for (int i = 0; i < DEPLOYS; i++) {
            FunctionClient side = i % 2 == 0 ? one : other;
            Path same = changed(SUM, 10 + i);
            String own = "own-" + i;
            deploys.add(() -> {
                side.knabla("deploy", "-f", same.toString());
                side.knabla("deploy", own, "--model", model().toString());
                return null;
            });
        }
        all(deploys);

        for (FunctionClient side : List.of(one, other)) {
            await().until(() -> numbers(side).size() == DEPLOYS + 1);
            assertThat(numbers(side))
                    .containsExactlyInAnyOrderElementsOf(
                            IntStream.rangeClosed(1, DEPLOYS + 1).boxed().toList());
            await().until(() -> side.get("/api/v1/functions").path("items").size() == DEPLOYS + 1);
        }
    }

    @Test
    void combinesTrainingStepsOfBothControllers() throws Exception {
        String step = Files.readString(FunctionClient.SAMPLES.resolve(TRAINING).resolve("request.json"));
        one.deploySample(TRAINING);
        List<Callable<List<Integer>>> sides = List.of(() -> steps(one, step), () -> steps(other, step));
        List<Integer> answered = new ArrayList<>();
        all(sides).forEach(answered::addAll);

        // Each acknowledged step has its own number, and the state counts no further steps.
        assertThat(answered)
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.rangeClosed(1, 2 * STEPS).boxed().toList());
        assertThat(FunctionClient.numbers(FunctionClient.output(one.infer(TRAINING, step), "step")))
                .containsExactly(2 * STEPS + 1);
    }

    /** Retries steps that were refused because of a concurrent step of the other controller. */
    private static List<Integer> steps(FunctionClient side, String request) {
        List<Integer> steps = new ArrayList<>();
        while (steps.size() < STEPS) {
            HttpResponse<String> answer = call(side, TRAINING, request);
            if (answer.statusCode() == 503) {
                assertThat(answer.body()).contains("the step was not taken");
            } else {
                JsonNode output = FunctionClient.output(FunctionClient.good(answer), "step");
                steps.add((int) FunctionClient.numbers(output)[0]);
            }
        }
        return steps;
    }

    private static <T> List<T> all(List<Callable<T>> tasks) throws Exception {
        try (var threads = Executors.newFixedThreadPool(tasks.size())) {
            List<T> results = new ArrayList<>();
            for (Future<T> result : threads.invokeAll(tasks)) {
                results.add(result.get());
            }
            return results;
        }
    }

    private static HttpResponse<String> call(FunctionClient side, String name, String request) {
        return side.send("POST", "/v2/models/" + name + "/infer", BodyPublishers.ofString(request));
    }

    private static String version(FunctionClient side, String request) {
        return call(side, SUM, request).headers().firstValue("Knabla-Version").orElse("");
    }

    private static List<Integer> numbers(FunctionClient side) {
        List<Integer> numbers = new ArrayList<>();
        side.get(API + SUM + "/versions")
                .path("items")
                .forEach(version -> numbers.add(version.path("version").asInt()));
        return numbers;
    }

    private static Path model() {
        return FunctionClient.SAMPLES.resolve(SUM).resolve("add-sub.onnx");
    }

    /** The sample with another timeout, which makes it another version. */
    private Path changed(String name, int seconds) throws IOException {
        Path at = Files.createDirectories(folder.resolve("changed-" + seconds));
        Files.copy(model(), at.resolve("add-sub.onnx"));
        String yaml = """
                apiVersion: knabla.dev/v1alpha1
                kind: Function
                metadata: {name: %s}
                spec: {model: add-sub.onnx, timeout: %ds}
                """.formatted(name, seconds);
        return Files.writeString(at.resolve("function.yaml"), yaml);
    }
}
