package io.knabla.controller.aot;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Completes {@code target/cli} of the command line: copies its jar to the libraries, trains an AOT cache, writes
 * {@code cli.args}.
 */
public final class AssembleCli {
    private static final String VERBS = "io.knabla.controller.cli.verbs.";

    private static final List<String> FLAGS = List.of(
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Xlog:disable",
            "-Xlog:all=error:stderr",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-Dfile.encoding=UTF-8",
            "-Dstdout.encoding=UTF-8",
            "-Dstderr.encoding=UTF-8",
            "-Djava.awt.headless=true",
            // An ingress selects the function by its Host header, see FunctionEndpointResolver.
            "-Djdk.httpclient.allowRestrictedHeaders=host");

    private AssembleCli() {}

    /** @param args the folder {@code target/cli} and the command line's own jar */
    public static void main(String[] args) throws IOException, InterruptedException {
        Path folder = Path.of(args[0]).toAbsolutePath();
        Path own = Path.of(args[1]);
        Path jar = folder.resolve("lib").resolve(own.getFileName());
        Files.copy(own, jar, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.COPY_ATTRIBUTES);
        List<Path> jars = jars(folder.resolve("lib"), jar);
        String classPath = jars.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
        var cache = new AotCache(
                AotCache.thisJava(), folder, "cli", FLAGS, jars, List.of("-cp", classPath, VERBS + "Main"));
        cache.prepare(program -> startTrainingRun(program, classPath), 0);
    }

    private static int startTrainingRun(ProcessBuilder program, String classPath)
            throws IOException, InterruptedException {
        program.command().addAll(List.of("-cp", classPath, VERBS + "CliTrainingRun"));
        return program.redirectOutput(ProcessBuilder.Redirect.DISCARD).start().waitFor();
    }

    /** Ours first, the rest sorted by name: an AOT cache is bound to this order. */
    private static List<Path> jars(Path lib, Path own) throws IOException {
        try (Stream<Path> all = Files.list(lib)) {
            var jars = new ArrayList<>(List.of(own));
            all.filter(path -> path.toString().endsWith(".jar") && !path.equals(own))
                    .sorted()
                    .forEach(jars::add);
            return jars;
        }
    }
}
