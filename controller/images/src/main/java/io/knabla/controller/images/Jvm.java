package io.knabla.controller.images;

import io.knabla.controller.cli.CliFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/** Links a JVM for an image from the running JDK: class files, JVM and AOT cache come from the same JDK build. */
final class Jvm {
    /** Name of the JVM's folder in a staged tree. */
    static final Path FOLDER = Path.of("jvm");

    private final Path jdk;

    Jvm(Path jdk) {
        this.jdk = jdk;
    }

    static Jvm ofThisProcess() {
        return new Jvm(Path.of(System.getProperty("java.home")));
    }

    /** @param system the operating system of this JVM, {@code os.name} */
    static void requireLinux(String system) {
        if (!system.equals("Linux")) {
            throw CliFailure.failed(
                    "images contain the JVM and the libraries of the machine that builds them, and this one runs"
                            + " %s, not Linux as the nodes do. Run ./knabla images on Linux, on the nodes' CPU"
                            + " architecture (a virtual machine is enough).",
                    system);
        }
    }

    /** Identifies the build of the JDK. */
    String buildId() {
        return System.getProperty("java.vm.vendor") + " " + System.getProperty("java.vm.version");
    }

    Path java() {
        return tool("java");
    }

    /** The {@code java} of a tree that {@link #link} made. */
    static Path java(Path tree) {
        return tree.resolve(FOLDER).resolve("bin").resolve("java");
    }

    /** Links without debug symbols, headers and manuals; uncompressed, because the layer is compressed later. */
    void link(Set<String> modules, Path tree) throws IOException {
        ProcessRunner.run(List.of(
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
