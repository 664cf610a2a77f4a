package io.knabla.controller.cli.doctor;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Checks the built replica: its files, and its AOT cache for a fast start. */
final class ReplicaBuildCheck {
    private final Path folder;

    ReplicaBuildCheck(Path folder) {
        this.folder = folder;
    }

    Finding files() {
        for (String name : List.of("replica.jar", "replica.args", "replica-all.args", "native")) {
            if (!Files.exists(folder.resolve(name))) {
                return Finding.bad(
                        "replica build",
                        folder.resolve(name) + " is missing",
                        "remove target/knabla.stamp and run any verb: it builds again");
            }
        }
        return Finding.good("replica build", folder.toString());
    }

    /** Starts a JVM with {@code -XX:AOTMode=on}, which fails if it cannot use the cache. */
    Finding cache() {
        try {
            var command = new ArrayList<String>();
            command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
            List<String> words = words(Files.readString(folder.resolve("replica.args")));
            int jar = words.indexOf("-jar");
            command.addAll(words.subList(0, jar));
            command.addAll(List.of("-XX:AOTMode=on", "-cp", words.get(jar + 1), "-version"));
            Process java = new ProcessBuilder(command).redirectErrorStream(true).start();
            String said = new String(java.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            boolean used = java.waitFor() == 0 && command.stream().anyMatch(word -> word.startsWith("-XX:AOTCache="));
            return used
                    ? Finding.good("AOT cache", "accepted by this JVM")
                    : refused(said.lines().findFirst().orElse("no cache is named in replica.args"));
        } catch (IOException | IndexOutOfBoundsException | IllegalArgumentException unusable) {
            return refused(unusable.getMessage());
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return refused("interrupted");
        }
    }

    private static Finding refused(String why) {
        return Finding.poor(
                "AOT cache",
                "not used: " + why,
                "replicas start, but slowly; remove target/knabla.stamp and run any verb to build again");
    }

    /** Splits an argument file into words; quoted words may contain spaces. */
    private static List<String> words(String text) {
        var words = new ArrayList<String>();
        var matcher = java.util.regex.Pattern.compile("\"((?:[^\"\\\\]|\\\\.)*)\"|(\\S+)")
                .matcher(text);
        while (matcher.find()) {
            words.add(
                    matcher.group(1) == null
                            ? matcher.group(2)
                            : matcher.group(1).replace("\\\"", "\"").replace("\\\\", "\\"));
        }
        return words;
    }
}
