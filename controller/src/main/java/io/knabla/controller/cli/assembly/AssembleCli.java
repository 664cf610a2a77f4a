package io.knabla.controller.cli.assembly;

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
 * Completes {@code target/cli}: our jar beside the libraries, an AOT cache trained with this very
 * JVM, and {@code cli.args}, with which the launcher starts Java. The cache's name is a digest of
 * what it was trained on, so a changed jar is never run with an old cache. JDK classes only: nothing
 * else is on the class path yet.
 */
public final class AssembleCli {
    private static final List<String> FLAGS =
            List.of(
                    "-XX:+UseSerialGC",
                    "-XX:TieredStopAtLevel=1",
                    "-Xlog:disable",
                    "-Xlog:all=error:stderr",
                    "--enable-native-access=ALL-UNNAMED",
                    "--sun-misc-unsafe-memory-access=allow",
                    "-Dfile.encoding=UTF-8",
                    "-Dstdout.encoding=UTF-8",
                    "-Dstderr.encoding=UTF-8",
                    "-Djava.awt.headless=true");

    private AssembleCli() {}

    /** @param args the folder {@code target/cli} and our own jar */
    public static void main(String[] args) throws IOException, InterruptedException {
        Path folder = Path.of(args[0]).toAbsolutePath();
        Path own = Path.of(args[1]);
        Path jar = folder.resolve("lib").resolve(own.getFileName());
        Files.copy(
                own, jar, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.COPY_ATTRIBUTES);
        List<Path> jars = jars(folder.resolve("lib"), jar);
        Path cache = folder.resolve("cli-" + key(jars) + ".aot");
        if (!Files.exists(cache)) {
            train(folder, jars, cache);
        }
        removeOthers(folder, cache);
        writeAtomically(folder.resolve("cli.args"), arguments(jars, cache));
    }

    /** Ours first, the rest by name: the order is part of what an AOT cache is bound to. */
    private static List<Path> jars(Path lib, Path own) throws IOException {
        try (Stream<Path> all = Files.list(lib)) {
            var jars = new ArrayList<>(List.of(own));
            all.filter(path -> path.toString().endsWith(".jar") && !path.equals(own))
                    .sorted()
                    .forEach(jars::add);
            return jars;
        }
    }

    /** The JVM compares path, size and time of each jar with its cache, and so do we. */
    private static String key(List<Path> jars) throws IOException {
        var text = new StringBuilder(System.getProperty("java.home"));
        text.append(Runtime.version()).append(FLAGS);
        for (Path jar : jars) {
            text.append('\n').append(jar).append(' ').append(Files.size(jar));
            text.append(' ').append(Files.getLastModifiedTime(jar).toMillis());
        }
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-256")
                            .digest(text.toString().getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, 8);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static void train(Path folder, List<Path> jars, Path cache)
            throws IOException, InterruptedException {
        Path fresh = folder.resolve("training.aot");
        Path log = folder.resolve("training.log");
        var command = new ArrayList<>(List.of(java(), "-XX:AOTCacheOutput=" + fresh));
        command.addAll(FLAGS);
        command.addAll(List.of("-cp", classPath(jars), Rehearsal.class.getName()));
        int status =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile())
                        .start()
                        .waitFor();
        if (status != 0 || !Files.exists(fresh)) {
            throw new IllegalStateException(
                    "training the command line's AOT cache failed (exit code %d); see %s"
                            .formatted(status, log));
        }
        Files.move(fresh, cache, StandardCopyOption.ATOMIC_MOVE);
    }

    private static String arguments(List<Path> jars, Path cache) {
        var lines = new ArrayList<>(FLAGS);
        lines.add("-XX:AOTCache=" + cache);
        lines.add("-cp");
        lines.add(classPath(jars));
        lines.add("io.knabla.controller.cli.Main");
        return lines.stream().map(AssembleCli::quoted).collect(Collectors.joining("\n", "", "\n"));
    }

    /** Quoted as Java's argument files want it, so that folders may have spaces. */
    private static String quoted(String argument) {
        return '"' + argument.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    private static String classPath(List<Path> jars) {
        return jars.stream()
                .map(Path::toString)
                .collect(Collectors.joining(java.io.File.pathSeparator));
    }

    private static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    private static void removeOthers(Path folder, Path cache) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                if (file.toString().endsWith(".aot") && !file.equals(cache)) {
                    Files.delete(file);
                }
            }
        }
    }

    private static void writeAtomically(Path file, String text) throws IOException {
        Path fresh = file.resolveSibling(file.getFileName() + ".new");
        Files.writeString(fresh, text);
        Files.move(
                fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
