package io.knabla.controller.aot;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Trains the AOT cache of a program and writes the argument file that the launcher passes to Java. The cache's name
 * contains a digest of the jars that it was trained on, so a changed jar never runs with an old cache: JDK 25 does not
 * notice that (JDK-8377932).
 *
 * @param java executable that will run the program
 * @param name of the program: {@code name.args} and {@code name-<digest>.aot} are made in the folder
 * @param jars all jars that the program loads
 * @param start end of the command line: a class path and main class, or a jar
 */
record AotCache(Path java, Path folder, String name, List<String> flags, List<Path> jars, List<String> start) {

    /** Runs the program to load everything worth caching; returns its exit code. */
    interface Training {
        int run(ProcessBuilder program) throws IOException, InterruptedException;
    }

    void prepare(Training training, int expected) throws IOException, InterruptedException {
        Path cache = folder.resolve(name + "-" + key() + ".aot");
        if (!Files.exists(cache)) {
            train(training, expected, cache);
        }
        removeOthers(cache);
        var arguments = new ArrayList<>(flags);
        arguments.add("-XX:AOTCache=" + cache);
        arguments.addAll(start);
        writeAtomically(arguments.stream().map(AotCache::quoted).collect(Collectors.joining("\n", "", "\n")));
    }

    /** The executable that runs this JVM. */
    static Path thisJava() {
        return Path.of(System.getProperty("java.home"), "bin", "java");
    }

    private void train(Training training, int expected, Path cache) throws IOException, InterruptedException {
        Path fresh = folder.resolve(name + "-training.aot");
        Path log = folder.resolve(name + "-training.log");
        var command = new ArrayList<>(List.of(java.toString(), "-XX:AOTCacheOutput=" + fresh));
        command.addAll(flags);
        int status = training.run(
                new ProcessBuilder(command).redirectError(log.toFile()).redirectOutput(ProcessBuilder.Redirect.PIPE));
        if (status != expected || !Files.exists(fresh)) {
            throw new IllegalStateException(
                    "training the AOT cache of %s failed (exit code %d); see %s".formatted(name, status, log));
        }
        Files.move(fresh, cache, StandardCopyOption.ATOMIC_MOVE);
    }

    /** Digest over path, size and time of each jar, which the JVM also compares with its cache. */
    private String key() throws IOException {
        var text = new StringBuilder(java.toString());
        text.append(Runtime.version()).append(flags).append(start);
        for (Path jar : jars) {
            text.append('\n').append(jar).append(' ').append(Files.size(jar));
            text.append(' ').append(Files.getLastModifiedTime(jar).toMillis());
        }
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-256").digest(text.toString().getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, 8);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Quotes an argument for a Java argument file, because folders may contain spaces. */
    private static String quoted(String argument) {
        return '"' + argument.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    private void removeOthers(Path cache) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                if (file.toString().endsWith(".aot") && !file.equals(cache)) {
                    Files.delete(file);
                }
            }
        }
    }

    private void writeAtomically(String text) throws IOException {
        Path file = folder.resolve(name + ".args");
        Path fresh = folder.resolve(name + ".args.new");
        Files.writeString(fresh, text);
        Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
