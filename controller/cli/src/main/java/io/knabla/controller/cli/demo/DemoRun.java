package io.knabla.controller.cli.demo;

import io.knabla.controller.cli.CliFailure;
import io.knabla.controller.cli.CommonOptions;
import io.knabla.controller.cli.Settings;
import io.knabla.controller.cli.client.PlatformClient;
import io.knabla.controller.cli.print.Console;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** Runs the demo in a temporary home: starts a platform, runs the steps, stops it, checks that no process is left. */
public final class DemoRun {
    private final Console console;
    private final boolean verbose;
    private final Path root;
    private final Optional<String> store;
    private final Function<List<String>, Integer> verb;

    /**
     * @param store object store for the functions; empty for a folder that is deleted with the demo
     * @param verb runs one verb of this command line
     */
    public DemoRun(
            Console console, boolean verbose, Path root, Optional<String> store, Function<List<String>, Integer> verb) {
        this.console = console;
        this.verbose = verbose;
        this.root = root;
        this.store = store;
        this.verb = verb;
    }

    public void run() {
        Path home = null;
        try {
            home = Files.createTempDirectory("knabla-demo-");
            runIn(home);
        } catch (IOException failed) {
            throw CliFailure.because(failed, "the demo failed: %s", failed.getMessage());
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw CliFailure.because(stopped, "the demo was interrupted");
        } finally {
            remove(home);
        }
        console.print("");
        console.print(
                "The demo is done: nothing is left running, %s.",
                store.map(place -> "the functions are kept in " + place).orElse("nothing was kept"));
    }

    private void runIn(Path home) throws IOException, InterruptedException {
        var up = new ArrayList<>(List.of("up", "--port", "0"));
        store.ifPresent(place -> up.addAll(List.of("--store", place)));
        DemoSteps.say(console, "Start a separate platform on a free port", "./knabla " + String.join(" ", up));
        List<String> command = new ArrayList<>(List.of(root.resolve("knabla").toString()));
        command.addAll(up);
        command.addAll(List.of("--home", home.toString()));
        long began = System.nanoTime();
        ChildPlatform child = ChildPlatform.start(command, home);
        var hook = new Thread(child::close);
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            console.print("  ready at %s after %.1f s", child.url(), (System.nanoTime() - began) / 1e9);
            steps(child, home);
            DemoSteps.say(console, "Stop the platform", "Ctrl-C");
            List<Long> left = child.stop();
            if (!left.isEmpty()) {
                throw CliFailure.failed("after the stop these processes are left: %s", left);
            }
            console.print("  no process is left");
        } finally {
            child.close();
            Runtime.getRuntime().removeShutdownHook(hook);
        }
    }

    private void steps(ChildPlatform child, Path home) throws IOException, InterruptedException {
        var settings = Settings.of(Map.of("KNABLA_HOME", home.toString()));
        var options = new CommonOptions();
        options.server = child.url();
        options.verbose = verbose;
        var platform = new PlatformClient(settings, options, console);
        List<Sample> samples = Sample.all(root.resolve("functions").resolve("samples"));
        Path work = Files.createDirectories(home.resolve("samples"));
        new DemoSteps(console, child, platform, samples, work, args -> verb(child, args)).run();
    }

    private int verb(ChildPlatform child, List<String> args) {
        var all = new ArrayList<>(args);
        all.addAll(List.of("--server", child.url()));
        return verb.apply(all);
    }

    private static void remove(Path home) {
        if (home == null) {
            return;
        }
        try (Stream<Path> files = Files.walk(home)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException stubborn) {
            throw CliFailure.because(stubborn, "the demo's folder %s cannot be removed: remove it by hand", home);
        }
    }
}
