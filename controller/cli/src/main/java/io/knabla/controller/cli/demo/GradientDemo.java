package io.knabla.controller.cli.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.knabla.controller.cli.CliFailure;
import io.knabla.controller.cli.client.Invocation;
import io.knabla.controller.cli.client.PlatformClient;
import io.knabla.controller.cli.print.Console;
import io.knabla.controller.cli.print.Documents;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.DoubleStream;
import java.util.stream.StreamSupport;
import java.util.zip.GZIPInputStream;

/** Runs the demo's steps about gradients: a function of two numbers, the pixels of a picture, a training. */
final class GradientDemo {
    private static final int SIDE = 8;
    private static final int PIXELS = SIDE * SIDE;
    private static final int BATCH = 64;

    /** Loss of a guess that takes all ten digits for equally likely. */
    private static final double GUESSING = Math.log(10);

    private static final int STEPS = 60;
    private static final int SHOWN_EVERY = 10;

    private final Console console;
    private final PlatformClient platform;

    GradientDemo(Console console, PlatformClient platform) {
        this.console = console;
        this.platform = platform;
    }

    void run(Sample lecture, Sample saliency, Sample training) throws IOException {
        lecture(lecture);
        saliency(saliency);
        train(training);
    }

    private void lecture(Sample sample) throws IOException {
        DemoSteps.say(
                console,
                "The gradient of f(x1, x2) = ln x1 + x1·x2 − sin x2 at (2, 5)",
                "./knabla invoke lecture --input functions/samples/lecture/request.json");
        JsonNode answer = infer(sample, sample.request());
        console.print(
                "  f = %s, gradient (%s, %s)",
                number(answer, "loss"), number(answer, "x1_grad"), number(answer, "x2_grad"));
    }

    private static String number(JsonNode answer, String name) {
        return String.format(Locale.ROOT, "%.4g", values(answer, name)[0]);
    }

    /** Shows how much each pixel would change the result, as one of five shades. */
    private void saliency(Sample sample) throws IOException {
        DemoSteps.say(
                console,
                "Which pixels decide that a picture is no 8",
                "./knabla invoke digits-gradient --input functions/samples/digits-gradient/request.json");
        double[] gradient = values(infer(sample, sample.request()), "image_grad");
        double most = Arrays.stream(gradient).map(Math::abs).max().orElse(1);
        for (int row = 0; row < SIDE; row++) {
            var line = new StringBuilder();
            for (int column = 0; column < SIDE; column++) {
                int shade = (int) Math.round(4 * Math.abs(gradient[row * SIDE + column]) / most);
                line.append(String.valueOf(" ░▒▓█".charAt(shade)).repeat(2));
            }
            console.print("  %s", line);
        }
    }

    private void train(Sample sample) throws IOException {
        DemoSteps.say(
                console,
                "Train a digit classifier from random weights, one step a call",
                "python functions/samples/digits-training/train.py");
        byte[] data = data(sample);
        double last = 0;
        for (int step = 0; step < STEPS; step++) {
            JsonNode answer = infer(sample, batch(data, step));
            last = values(answer, "loss")[0];
            if (step % SHOWN_EVERY == 0 || step == STEPS - 1) {
                console.print(
                        "  step %3d  loss %.3f  %s",
                        (long) values(answer, "step")[0], last, "█".repeat((int) Math.max(1, Math.round(16 * last))));
            }
        }
        // A store may hold the weights of an earlier demo, so the first loss says nothing.
        if (!(last < GUESSING / 2)) {
            throw CliFailure.failed(
                    "training does not work: the loss is %.3f after %d steps, guessing has %.3f",
                    last, STEPS, GUESSING);
        }
    }

    private JsonNode infer(Sample sample, byte[] request) {
        return Invocation.infer(platform.endpoint("default", sample.name()), sample.name(), request)
                .answer();
    }

    private static byte[] data(Sample sample) throws IOException {
        try (InputStream in =
                new GZIPInputStream(Files.newInputStream(sample.folder().resolve("digits.gz")))) {
            return in.readAllBytes();
        }
    }

    /** The next batch of the training part; starts again at its end. */
    private static byte[] batch(byte[] data, int step) {
        int row = PIXELS + 1;
        int toTrain = data.length / row - 500;
        ObjectNode request = Documents.JSON.createObjectNode();
        ArrayNode inputs = request.putArray("inputs");
        ObjectNode image = inputs.addObject().put("name", "image").put("datatype", "FP32");
        image.putArray("shape").add(BATCH).add(1).add(SIDE).add(SIDE);
        ArrayNode pixels = image.putArray("data");
        ObjectNode label = inputs.addObject().put("name", "label").put("datatype", "INT64");
        label.putArray("shape").add(BATCH);
        ArrayNode labels = label.putArray("data");
        for (int i = 0; i < BATCH; i++) {
            int at = (step * BATCH + i) % toTrain * row;
            for (int pixel = 0; pixel < PIXELS; pixel++) {
                pixels.add(data[at + pixel] / 16.0);
            }
            labels.add(data[at + PIXELS]);
        }
        return request.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static double[] values(JsonNode answer, String name) {
        return StreamSupport.stream(answer.path("outputs").spliterator(), false)
                .filter(output -> output.path("name").asText().equals(name))
                .findFirst()
                .map(output -> leaves(output.path("data")).toArray())
                .orElseThrow(() -> CliFailure.failed("the answer has no output '%s'", name));
    }

    private static DoubleStream leaves(JsonNode data) {
        return data.isArray()
                ? StreamSupport.stream(data.spliterator(), false).flatMapToDouble(GradientDemo::leaves)
                : DoubleStream.of(data.asDouble());
    }
}
