package io.knabla.controller.clients;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Python package of this repository, from its wheel. */
class PythonPackageOnPlatform {
    @TempDir
    Path home;

    @Test
    void passesItsTests() throws Exception {
        try (var targets = new ClientTargets(home, Map.of())) {
            for (String sample : List.of("add-sub", "lecture", "digits-gradient", "digits-training")) {
                targets.add(sample);
            }
            new PythonScript("knabla_package")
                    .run(Map.of("server", targets.onPlatform().get("server")));
        }
    }
}
