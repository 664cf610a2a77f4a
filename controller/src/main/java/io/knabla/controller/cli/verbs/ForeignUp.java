package io.knabla.controller.cli.verbs;

import io.knabla.controller.cli.CliFailure;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** {@code up} where another option stood before the verb: asks the launcher again, verb first. */
public final class ForeignUp implements Up {
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
