package io.knabla.controller.cli.verbs.function;

import com.fasterxml.jackson.databind.JsonNode;
import io.knabla.controller.cli.CliFailure;
import io.knabla.controller.cli.client.PlatformClient;
import io.knabla.controller.cli.print.Progress;
import java.time.Duration;

/** Waits until a version is ready and shows its progress. */
public final class ReadinessWaiter {
    private static final Duration PAUSE = Duration.ofMillis(100);

    private final PlatformClient platform;
    private final Progress progress;
    private final Duration patience;

    public ReadinessWaiter(PlatformClient platform, Progress progress, Duration patience) {
        this.platform = platform;
        this.progress = progress;
        this.patience = patience;
    }

    public void await(String namespace, String name, int version) {
        long deadline = System.nanoTime() + patience.toNanos();
        while (true) {
            JsonNode view = platform.get(PlatformClient.functionPath(namespace, name));
            JsonNode ready = FunctionPrinter.condition(view, "Ready");
            if (view.path("readyVersion").asInt() >= version) {
                return;
            }
            RolloutStatus.failed(view.path("conditions")).ifPresent(failed -> {
                throw CliFailure.failed(
                        "version %d of %s does not start (%s): %s%nIts log: ./knabla" + " logs %s -n %s",
                        version, name, failed.reason(), failed.sentence(), name, namespace);
            });
            String reason = ready.path("reason").asText();
            String message = ready.path("message").asText();
            if (System.nanoTime() > deadline) {
                throw CliFailure.failed(
                        "version %d of %s is not ready after %d s (%s %s). It may still become ready:"
                                + " ./knabla describe %s -n %s",
                        version, name, patience.toSeconds(), reason, message, name, namespace);
            }
            progress.step(
                    message.isEmpty()
                            ? "starting %s version %d".formatted(name, version)
                            : "starting %s: %s".formatted(name, message));
            pause(PAUSE);
        }
    }

    public static void pause(Duration time) {
        try {
            Thread.sleep(time);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw CliFailure.because(stopped, "interrupted while waiting");
        }
    }
}
