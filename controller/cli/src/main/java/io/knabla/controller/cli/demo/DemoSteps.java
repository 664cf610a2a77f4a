package io.knabla.controller.cli.demo;

import com.fasterxml.jackson.databind.JsonNode;
import io.knabla.controller.cli.CliFailure;
import io.knabla.controller.cli.client.Invocation;
import io.knabla.controller.cli.client.PlatformClient;
import io.knabla.controller.cli.print.Amounts;
import io.knabla.controller.cli.print.Console;
import io.knabla.controller.cli.print.Console.Colour;
import io.knabla.controller.cli.print.OutputFormatter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Runs the steps of the demo; each prints the command that a user would type for it. */
public final class DemoSteps {
    private static final String DIGITS = "digits";
    private static final String IDLE_AFTER = "2s";
    private static final Duration SLEEP_WITHIN = Duration.ofSeconds(150);
    private static final int BAR = 40;
    private static final int MOST_STALLS = 3;

    private final Console console;
    private final ChildPlatform child;
    private final PlatformClient platform;
    private final List<Sample> samples;
    private final Path work;
    private final Function<List<String>, Integer> verb;

    /** @param verb runs one verb of this command line against the child platform */
    DemoSteps(
            Console console,
            ChildPlatform child,
            PlatformClient platform,
            List<Sample> samples,
            Path work,
            Function<List<String>, Integer> verb) {
        this.console = console;
        this.child = child;
        this.platform = platform;
        this.samples = samples;
        this.work = work;
        this.verb = verb;
    }

    void run() throws IOException, InterruptedException {
        deploySamples();
        classifyPictures();
        checkExpectedAnswers();
        new GradientDemo(console, platform)
                .run(sample("lecture"), sample("digits-gradient"), sample("digits-training"));
        child.recordProcesses();
        var calls = new LinkedHashMap<String, Invocation>();
        Sample digits = sample(DIGITS);
        showScaleToZero("Without calls, all functions scale to zero");
        say("Wake it, call it again, let it scale to zero, wake it once more", "./knabla invoke digits --input …");
        calls.put("cold", call(digits));
        calls.put("warm", warm(digits));
        awaitScaleToZero();
        calls.put("re-woken", call(digits));
        show(calls);
        check(calls);
        say("List the functions", "./knabla list");
        run("list");
    }

    private void deploySamples() throws IOException {
        for (Sample sample : samples) {
            Path file = sample.copyWithIdleAfter(work, IDLE_AFTER);
            say(
                    "Deploy the sample " + sample.name(),
                    "./knabla deploy -f functions/samples/%s/function.yaml".formatted(sample.name()));
            run("deploy", "-f", file.toString());
            child.recordProcesses();
        }
    }

    private void classifyPictures() throws IOException {
        Sample digits = sample(DIGITS);
        List<Path> pictures = digits.pictures();
        say(
                "Classify %d handwritten digits that the model never saw".formatted(pictures.size()),
                "./knabla invoke digits --input functions/samples/digits/images/07-3.png");
        var wrong = new ArrayList<String>();
        var seen = new StringBuilder();
        for (Path picture : pictures) {
            Invocation call =
                    Invocation.infer(platform.endpoint("default", DIGITS), DIGITS, Files.readAllBytes(picture));
            int answer = OutputFormatter.argmax(call.answer().path("outputs").path(0));
            int label = Sample.label(picture);
            seen.append(answer).append(answer == label ? "✓ " : "✗ ");
            if (answer != label) {
                wrong.add("%s was taken for %d".formatted(picture.getFileName(), answer));
            }
        }
        console.print("  %s", seen.toString().strip());
        console.print("  %d of %d right", pictures.size() - wrong.size(), pictures.size());
        // A held-out digit in a hundred may be wrong; two of twenty would be a broken pipeline.
        if (pictures.isEmpty() || wrong.size() * 20 > pictures.size()) {
            throw CliFailure.withFaults("the digits are not recognised:", wrong);
        }
    }

    private void checkExpectedAnswers() throws IOException {
        for (Sample sample : samples) {
            String name = sample.name();
            say(
                    "Call " + name + " and compare with the expected answer",
                    "./knabla invoke %1$s --input functions/samples/%1$s/request.json".formatted(name));
            Invocation call = Invocation.infer(platform.endpoint("default", name), name, sample.request());
            var difference = sample.difference(call.answer());
            if (difference.isPresent()) {
                throw CliFailure.failed("%s answers wrongly: %s", name, difference.get());
            }
            console.print(
                    "  as expected, in %s%s",
                    Amounts.millis(call.milliseconds()),
                    call.phases().isEmpty() ? "" : " (" + OutputFormatter.phases(call.phases()) + ")");
        }
    }

    private void showScaleToZero(String title) throws InterruptedException {
        say(title, "./knabla list");
        awaitScaleToZero();
        console.print("  no replica is running");
    }

    /** Waits until no function has a replica; records the processes that run for the last check. */
    private void awaitScaleToZero() throws InterruptedException {
        long deadline = System.nanoTime() + SLEEP_WITHIN.toNanos();
        while (true) {
            child.recordProcesses();
            int running = running(platform.get("/functions"));
            if (running == 0) {
                return;
            }
            if (System.nanoTime() > deadline) {
                throw CliFailure.failed(
                        "%d replicas still run %d s after the last call, with idleAfter %s",
                        running, SLEEP_WITHIN.toSeconds(), IDLE_AFTER);
            }
            Thread.sleep(100);
        }
    }

    private static int running(JsonNode list) {
        int running = 0;
        for (JsonNode function : list.path("items")) {
            JsonNode replicas = function.path("replicas");
            running +=
                    replicas.path("ready").asInt() + replicas.path("starting").asInt();
        }
        return running;
    }

    private Invocation call(Sample sample) throws IOException {
        Invocation call =
                Invocation.infer(platform.endpoint("default", sample.name()), sample.name(), sample.request());
        child.recordProcesses();
        return call;
    }

    /** Repeats a call that was not warm: after a long stall of the machine the function has scaled to zero again. */
    private Invocation warm(Sample sample) throws IOException {
        Invocation call = call(sample);
        for (int again = 0; again < MOST_STALLS && !call.start().equals("warm"); again++) {
            call = call(sample);
        }
        return call;
    }

    private void show(Map<String, Invocation> calls) {
        double longest = calls.values().stream()
                .mapToDouble(Invocation::milliseconds)
                .max()
                .orElse(1);
        calls.forEach((name, call) -> {
            int length = (int) Math.max(1, Math.round(BAR * call.milliseconds() / longest));
            console.print("  %-9s %8s  %s", name, Amounts.millis(call.milliseconds()), "█".repeat(length));
            console.print(
                    "            start %s: %s",
                    call.start().isEmpty() ? "-" : call.start(), OutputFormatter.phases(call.phases()));
        });
    }

    private static void check(Map<String, Invocation> calls) {
        calls.forEach((name, call) -> {
            boolean fromZero = !name.equals("warm");
            if (fromZero == call.start().equals("warm")
                    || fromZero && call.start().isEmpty()) {
                throw CliFailure.failed("the %s call reports start '%s', which is wrong", name, call.start());
            }
        });
    }

    private Sample sample(String name) {
        return samples.stream()
                .filter(sample -> sample.name().equals(name))
                .findFirst()
                .orElseThrow(() -> CliFailure.failed("functions/samples/%s is missing", name));
    }

    private void run(String... args) {
        int status = verb.apply(List.of(args));
        if (status != 0) {
            throw CliFailure.failed("'./knabla %s' failed (exit code %d)", args[0], status);
        }
    }

    private void say(String title, String command) {
        say(console, title, command);
    }

    static void say(Console console, String title, String command) {
        console.print("");
        console.print("%s", console.paint(Colour.BOLD, title));
        console.print("%s", console.paint(Colour.DIM, "  $ " + command));
    }
}
