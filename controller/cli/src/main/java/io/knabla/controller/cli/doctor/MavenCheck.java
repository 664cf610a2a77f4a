package io.knabla.controller.cli.doctor;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** Checks for Maven, which is needed to build but not to run. */
final class MavenCheck {
    private MavenCheck() {}

    static Finding check() {
        String path = System.getenv().getOrDefault("PATH", "");
        return Arrays.stream(path.split(java.io.File.pathSeparator))
                .map(folder -> Path.of(folder).resolve("mvn"))
                .filter(Files::isExecutable)
                .findFirst()
                .map(mvn -> Finding.good("Maven", mvn.toString()))
                .orElse(Finding.poor(
                        "Maven",
                        "no mvn on PATH",
                        "needed to build: apt install maven, brew install maven, or sdk install maven"));
    }
}
