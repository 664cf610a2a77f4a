package io.knabla.controller.cli.verbs.launcher;

import io.knabla.controller.cli.CliFailure;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Runs the script of the demo, {@code functions/samples/demo.sh}, and returns its exit code. */
@Command(
        name = "demo",
        description = "Shows a full run: starts its own platform, deploys the samples, calls them, lets them scale"
                + " to zero and wakes them, takes back the spot node of one while requests come in, and shows what"
                + " that cost. Leaves nothing running.",
        footer = {
            "",
            "Examples:",
            "  ./knabla demo",
            "  ./knabla demo --store s3://bucket/prefix     (AWS_* and KNABLA_S3_* say how to reach it)"
        })
public final class DemoCommand implements Callable<Integer> {
    @Option(
            names = "--store",
            paramLabel = "URL",
            description = "Object store for the functions: file:///… or s3://bucket/prefix (default: KNABLA_STORE,"
                    + " else a folder that the demo deletes).")
    String store;

    @Override
    public Integer call() {
        List<String> command = new ArrayList<>();
        command.add(Launcher.root().resolve("functions/samples/demo.sh").toString());
        Optional.ofNullable(store)
                .filter(text -> !text.isBlank())
                .ifPresent(place -> command.addAll(List.of("--store", place)));
        try {
            return run(new ProcessBuilder(command).inheritIO().start());
        } catch (IOException failed) {
            throw CliFailure.because(failed, "cannot start %s: %s", command, failed.getMessage());
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw CliFailure.because(stopped, "the demo was interrupted");
        }
    }

    /** If this process is stopped, lets the script stop its platform first. */
    private static int run(Process script) throws InterruptedException {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            script.destroy();
            script.onExit().join();
        }));
        return script.waitFor();
    }
}
