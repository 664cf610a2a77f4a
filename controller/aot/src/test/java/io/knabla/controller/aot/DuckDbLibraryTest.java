package io.knabla.controller.aot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DuckDbLibraryTest {
    private static final FileTime BUILT = FileTime.from(Instant.parse("2026-11-23T05:00:00Z"));

    @TempDir
    Path temp;

    @Test
    void aJarWithoutALibraryOfThisSystemIsLeftAsItIs() throws IOException {
        Path jar = temp.resolve("org.duckdb.duckdb_jdbc-1.4.2.0.jar");
        write(jar, "org/duckdb/DuckDBNative.class", "libduckdb_java.so_osx_universal");
        byte[] before = Files.readAllBytes(jar);

        DuckDbLibrary.unpack(temp, temp.resolve("native"), "Mac OS X", "aarch64");

        assertThat(temp.resolve("native")).doesNotExist();
        assertThat(Files.readAllBytes(jar)).isEqualTo(before);
    }

    @Test
    void theJarKeepsItsClassesAndTheFolderHasTheLibraryOfThisSystem() throws IOException {
        Path jar = temp.resolve("org.duckdb.duckdb_jdbc-1.4.2.0.jar");
        write(
                jar,
                "org/duckdb/DuckDBNative.class",
                "libduckdb_java.so_linux_amd64",
                "libduckdb_java.so_linux_arm64",
                "libduckdb_java.so_osx_universal");

        Files.setLastModifiedTime(jar, BUILT);

        DuckDbLibrary.unpack(temp, temp.resolve("native"), "Linux", "aarch64");

        assertThat(temp.resolve("native/libduckdb_java.so")).hasContent("libduckdb_java.so_linux_arm64");
        // The AOT cache is trained again if it changes.
        assertThat(Files.getLastModifiedTime(jar)).isEqualTo(BUILT);
        try (ZipFile left = new ZipFile(jar.toFile())) {
            assertThat(left.stream().map(ZipEntry::getName))
                    .contains("org/duckdb/DuckDBNative.class")
                    .noneMatch(name -> name.startsWith("libduckdb_java"));
        }
    }

    private static void write(Path jar, String... names) throws IOException {
        try (var zip = new ZipOutputStream(Files.newOutputStream(jar))) {
            for (String name : List.of(names)) {
                zip.putNextEntry(new ZipEntry(name));
                zip.write(name.getBytes());
            }
        }
    }
}
