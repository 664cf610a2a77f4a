package io.knabla.controller.training;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.knabla.controller.kill.PlatformProcess;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Trains a classifier of handwritten digits over HTTP: every call is a training step, the platform restarts half-way,
 * and the exported model is deployed and scored on held-out digits.
 */
class DigitsTrainingIT {
    private static final String NAME = "digits-training";
    private static final int EPOCHS = 12;
    private static final int BATCH = 64;

    @TempDir
    Path home;

    @TempDir
    Path models;

    private int steps;

    @Test
    void learnsThroughThePlatform() throws IOException {
        var digits = Digits.read(FunctionClient.SAMPLES.resolve(NAME).resolve("digits.gz"));
        double first;
        try (var platform = PlatformProcess.start(home)) {
            var functions = new FunctionClient(platform.address());
            functions.deploySample(NAME);
            first = epoch(functions, digits.toTrain());
            train(functions, digits.toTrain(), EPOCHS / 2 - 1);
        }
        try (var platform = PlatformProcess.start(home)) {
            var functions = new FunctionClient(platform.address());
            train(functions, digits.toTrain(), EPOCHS - EPOCHS / 2 - 1);
            double last = epoch(functions, digits.toTrain());

            assertThat(last).isLessThan(first / 5);
            double untrained = score(functions, digits.heldOut(), "untrained", "untrained.onnx");
            double trained = scoreTrained(functions, digits.heldOut());
            System.out.printf(
                    "digits-training: loss %.3f to %.3f in %d steps over HTTP, %.1f %% of held-out digits right (%.1f %% before)%n",
                    first, last, steps, 100 * trained, 100 * untrained);
            assertThat(untrained).isLessThan(0.5);
            assertThat(trained).isGreaterThan(0.95);
            theStateGoesWithTheFunction(functions);
        }
    }

    private void train(FunctionClient functions, Digits digits, int epochs) {
        for (int epoch = 0; epoch < epochs; epoch++) {
            epoch(functions, digits);
        }
    }

    /** Trains one epoch and returns the mean loss. */
    private double epoch(FunctionClient functions, Digits digits) {
        double sum = 0;
        var batches = digits.batches(BATCH);
        for (Digits batch : batches) {
            JsonNode answer = functions.infer(NAME, batch.request(true));
            assertThat(FunctionClient.numbers(FunctionClient.output(answer, "step")))
                    .containsExactly(++steps);
            sum += FunctionClient.numbers(FunctionClient.output(answer, "loss"))[0];
        }
        return sum / batches.size();
    }

    private double scoreTrained(FunctionClient functions, Digits digits) {
        Path trained = models.resolve("trained.onnx");
        functions.knabla("export", NAME, "-o", trained.toString());
        functions.knabla("deploy", "trained", "--model", trained.toString());
        return accuracy(functions, digits, "trained");
    }

    private double score(FunctionClient functions, Digits digits, String name, String file) {
        Path model = FunctionClient.SAMPLES.resolve(NAME).resolve(file);
        functions.knabla("deploy", name, "--model", model.toString());
        return accuracy(functions, digits, name);
    }

    private static double accuracy(FunctionClient functions, Digits digits, String name) {
        JsonNode answer = functions.infer(name, digits.request(false));
        return digits.accuracy(FunctionClient.numbers(FunctionClient.output(answer, "logits")));
    }

    private void theStateGoesWithTheFunction(FunctionClient functions) throws IOException {
        assertThat(states()).isNotEmpty();
        functions.send("DELETE", "/api/v1/functions/default/" + NAME, BodyPublishers.noBody());
        assertThat(states()).isEmpty();
    }

    /** Store files that hold training state: the file store marks folders by a plus. */
    private java.util.List<Path> states() throws IOException {
        try (Stream<Path> files = Files.walk(home.resolve("store"))) {
            return files.filter(Files::isRegularFile)
                    .filter(file -> file.toString().contains("states+"))
                    .toList();
        }
    }
}
