package io.knabla.controller.cli.images;

import io.knabla.controller.cli.CliFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * A JVM for an image: linked from the very JDK that runs this, so that class files, JVM and AOT cache come from one
 * build.
 */
final class Jvm {
    /** Its name in the tree. */
    static final Path FOLDER = Path.of("jvm");

    private final Path jdk;

    Jvm(Path jdk) {
        this.jdk = jdk;
    }

    static Jvm ofThisProcess() {
        return new Jvm(Path.of(System.getProperty("java.home")));
    }

    /** @param system the operating system of this JVM, as Java names it */
    static void mustBeOfLinux(String system) {
        if (!system.equals("Linux")) {
            throw CliFailure.failed(
                    "images get the JVM and the libraries of the machine that makes them, and this one runs %s, which no node does. Run ./knabla images on Linux (a virtual machine will do, of the nodes' architecture).",
                    system);
        }
    }

    /** What tells one build of a JDK from another. */
    String build() {
        return System.getProperty("java.vm.vendor") + " " + System.getProperty("java.vm.version");
    }

    Path java() {
        return tool("java");
    }

    /** The {@code java} of a tree that {@link #link} made. */
    static Path java(Path tree) {
        return tree.resolve(FOLDER).resolve("bin").resolve("java");
    }

    /** Without debug symbols, headers and manuals; uncompressed, as the layer will be compressed. */
    void link(Set<String> modules, Path tree) throws IOException {
        Tool.run(List.of(
                tool("jlink").toString(),
                "--add-modules",
                String.join(",", modules),
                "--vm",
                "server",
                "--strip-debug",
                "--no-header-files",
                "--no-man-pages",
                "--output",
                tree.resolve(FOLDER).toString()));
    }

    private Path tool(String name) {
        Path tool = jdk.resolve("bin").resolve(name);
        if (!Files.isExecutable(tool)) {
            throw CliFailure.failed(
                    "there is no %s in %s, so no JVM can be made for an image. Set JAVA_HOME to a whole JDK %d (such as Temurin's), not a JRE.",
                    name, jdk, Runtime.version().feature());
        }
        return tool;
    }
}
