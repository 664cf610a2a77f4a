package io.knabla.controller.cost.ledger.sql;

import com.fasterxml.jackson.core.JsonFactory;
import io.knabla.controller.cost.ledger.duckdb.DuckDb;
import java.io.File;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How a {@link SqlProgram} is started: by the JVM of this process, from the jars that it loaded the same types from.
 */
final class SqlCommand {
    /** What a process needs to find libraries and to read names of files; nothing that opens the store. */
    private static final Set<String> INHERITED = Set.of("PATH", "LANG", "LC_ALL", "TZ", "LD_LIBRARY_PATH");

    private static final List<String> OPTIONS = List.of(
            "-XX:+UseSerialGC",
            "-Xmx256m",
            // It ends before the optimising compiler pays.
            "-XX:TieredStopAtLevel=1",
            "-XX:+ExitOnOutOfMemoryError",
            "-XX:+SuppressFatalErrorMessage",
            // Times of usage are UTC, and so are those that a query computes.
            "-Duser.timezone=UTC",
            "--enable-native-access=ALL-UNNAMED");

    private SqlCommand() {}

    /** @param folder of the query; DuckDB's driver may unpack its library there */
    static List<String> line(Path folder, SqlLimits limits) {
        return Stream.of(
                        List.of(Path.of(System.getProperty("java.home"), "bin", "java")
                                .toString()),
                        OPTIONS,
                        List.of(
                                "-Djava.library.path=" + System.getProperty("java.library.path"),
                                "-Djava.io.tmpdir=" + folder,
                                "-cp",
                                classPath(),
                                SqlProgram.class.getName(),
                                folder.toString()),
                        limits.arguments())
                .flatMap(List::stream)
                .toList();
    }

    static Map<String, String> environment(Map<String, String> surroundings) {
        Map<String, String> environment = surroundings.entrySet().stream()
                .filter(variable -> INHERITED.contains(variable.getKey()))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
        // Each arena takes 64 MiB of address space, which is limited.
        environment.put("MALLOC_ARENA_MAX", "2");
        return environment;
    }

    private static String classPath() {
        return Stream.of(SqlProgram.class, JsonFactory.class, DuckDb.driver())
                .map(SqlCommand::place)
                .collect(Collectors.joining(File.pathSeparator));
    }

    /**
     * The jar or folder of a type, as its class loader finds it. The code source will not do: that of a type from an
     * AOT cache is where the jar was when the cache was trained, such as the machine that built this one's image.
     */
    static String place(Class<?> type) {
        String file = type.getName().replace('.', '/') + ".class";
        String found = type.getClassLoader().getResource(file).toString();
        String place = found.substring(0, found.length() - file.length());
        boolean jar = place.startsWith("jar:");
        return Path.of(URI.create(jar ? place.substring("jar:".length(), place.length() - "!/".length()) : place))
                .toString();
    }
}
