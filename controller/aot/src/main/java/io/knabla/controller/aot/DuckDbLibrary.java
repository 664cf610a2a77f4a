package io.knabla.controller.aot;

import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Moves DuckDB's native library out of its jar. In the jar it would be unpacked by every process that uses it, which
 * takes a second for each query; and the libraries of other systems would be four fifths of an image.
 */
final class DuckDbLibrary {
    private static final String JAR = "org\\.duckdb\\.duckdb_jdbc-.*\\.jar";
    private static final String ENTRY = "libduckdb_java.so_";

    private DuckDbLibrary() {}

    /**
     * Does nothing if the jar holds no library for this system, as after the first time.
     *
     * @param jars folder with the driver's jar, which is rewritten and keeps its time
     * @param target folder of native libraries, created if absent
     * @param system such as {@code Linux}, as {@code os.name} names it
     * @param architecture such as {@code amd64}, as {@code os.arch} names it
     */
    static void unpack(Path jars, Path target, String system, String architecture) throws IOException {
        Path driver = driver(jars);
        FileTime time = Files.getLastModifiedTime(driver);
        String wanted = ENTRY + system.toLowerCase(Locale.ROOT) + "_"
                + (architecture.equals("aarch64") ? "arm64" : architecture);
        try (FileSystem jar = FileSystems.newFileSystem(driver)) {
            Path library = jar.getPath(wanted);
            if (!Files.exists(library)) {
                return;
            }
            Files.createDirectories(target);
            // What has another name is the driver's own fallback: System.loadLibrary("duckdb_java").
            Files.copy(library, target.resolve("libduckdb_java.so"), StandardCopyOption.REPLACE_EXISTING);
            for (Path other : libraries(jar)) {
                Files.delete(other);
            }
        }
        Files.setLastModifiedTime(driver, time);
    }

    private static Path driver(Path jars) throws IOException {
        try (Stream<Path> files = Files.list(jars)) {
            return files.filter(file -> file.getFileName().toString().matches(JAR))
                    .findFirst()
                    .orElseThrow(() -> new IOException(jars + " has no jar of DuckDB's driver"));
        }
    }

    private static List<Path> libraries(FileSystem jar) throws IOException {
        try (Stream<Path> files = Files.list(jar.getPath("/"))) {
            return files.filter(file -> file.getFileName().toString().startsWith(ENTRY))
                    .toList();
        }
    }
}
