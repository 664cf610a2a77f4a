package io.knabla.controller.cli.verbs.launcher;

import io.knabla.controller.cli.CliFailure;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Runs {@code up} in a child process by calling the launcher script. This is needed when this JVM is the command
 * line's; the verb is the first argument of the script.
 */
public final class LauncherPlatformRunner implements PlatformRunner {
    @Override
    public int run(Map<String, String> properties) {
        List<String> command = new ArrayList<>(Launcher.command("up"));
        properties.forEach((key, value) -> {
            command.add("--" + key.substring("knabla.".length()));
            command.add(value);
        });
        try {
            return new ProcessBuilder(command).inheritIO().start().waitFor();
        } catch (IOException failed) {
            throw CliFailure.because(failed, "cannot start %s: %s", command, failed.getMessage());
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return 130;
        }
    }
}
