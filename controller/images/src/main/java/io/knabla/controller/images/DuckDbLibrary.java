package io.knabla.controller.images;

import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Moves DuckDB's native library out of its jar into a folder of the image. In the jar it would be unpacked at every
 * start, its C++ library would not be found, and the libraries of other systems would be four fifths of it.
 */
final class DuckDbLibrary {
    private static final String JAR = "org\\.duckdb\\.duckdb_jdbc-.*\\.jar";
    private static final String ENTRY = "libduckdb_java.so_";

    private DuckDbLibrary() {}

    /**
     * @param jars folder with the driver's jar, which is rewritten
     * @param target folder of native libraries, created if absent
     * @param architecture such as {@code amd64}, as {@code os.arch} names it
     */
    static void unpack(Path jars, Path target, String architecture) throws IOException {
        String wanted = ENTRY + "linux_" + (architecture.equals("aarch64") ? "arm64" : architecture);
        Files.createDirectories(target);
        try (FileSystem jar = FileSystems.newFileSystem(BuildOutput.single(jars, JAR))) {
            // What has another name is the driver's own fallback: System.loadLibrary("duckdb_java").
            Files.copy(jar.getPath(wanted), target.resolve("libduckdb_java.so"));
            for (Path library : libraries(jar)) {
                Files.delete(library);
            }
        }
    }

    private static List<Path> libraries(FileSystem jar) throws IOException {
        try (Stream<Path> files = Files.list(jar.getPath("/"))) {
            return files.filter(file -> file.getFileName().toString().startsWith(ENTRY))
                    .toList();
        }
    }
}
