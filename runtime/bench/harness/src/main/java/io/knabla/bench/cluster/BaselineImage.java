package io.knabla.bench.cluster;

import com.google.cloud.tools.jib.api.Containerizer;
import com.google.cloud.tools.jib.api.InvalidImageReferenceException;
import com.google.cloud.tools.jib.api.Jib;
import com.google.cloud.tools.jib.api.JibContainerBuilder;
import com.google.cloud.tools.jib.api.RegistryImage;
import com.google.cloud.tools.jib.api.buildplan.AbsoluteUnixPath;
import com.google.cloud.tools.jib.api.buildplan.FileEntriesLayer;
import com.google.cloud.tools.jib.api.buildplan.FilePermissions;
import io.knabla.bench.machine.Folders;
import io.knabla.bench.model.BenchModel;
import io.knabla.bench.server.Distribution;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Builds the image of the reference: a Quarkus application with its model, on a plain JVM with its default CDS archive.
 */
record BaselineImage(Distribution distribution, BenchModel model) {
    private static final AbsoluteUnixPath JVM = AbsoluteUnixPath.get("/jvm");
    private static final AbsoluteUnixPath APPLICATION = AbsoluteUnixPath.get("/app");

    /** Builds and pushes the image and returns its name. */
    String push(TestBed bed, String tag) {
        Path folder = Folders.temporary();
        String name = bed.registry() + "/knabla/bench-baseline:" + tag;
        try {
            Path jvm = jvm(folder.resolve("jvm"));
            containers(bed.base(), jvm)
                    .containerize(Containerizer.to(RegistryImage.named(name)).setAllowInsecureRegistries(true));
            return name;
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while pushing " + name, stopped);
        } catch (Exception failed) {
            throw new IllegalStateException("cannot push " + name, failed);
        } finally {
            Folders.delete(folder);
        }
    }

    private JibContainerBuilder containers(String base, Path jvm) throws IOException, InvalidImageReferenceException {
        return Jib.from(base)
                .addFileEntriesLayer(tree("jvm", jvm, JVM))
                .addFileEntriesLayer(tree("application", distribution.baseline().getParent(), APPLICATION))
                .addLayer(List.of(model.file()), AbsoluteUnixPath.get("/models"))
                .setEnvironment(
                        Map.of("BASELINE_MODEL", "/models/" + model.file().getFileName(), "ORT_DISABLE_TELEMETRY", "1"))
                .setEntrypoint(
                        JVM + "/bin/java", "-Dquarkus.http.host=0.0.0.0", "-jar", APPLICATION + "/quarkus-run.jar")
                .setUser("65532");
    }

    /** Keeps executable bits, which Jib drops by default. */
    private static FileEntriesLayer tree(String name, Path root, AbsoluteUnixPath target) throws IOException {
        return FileEntriesLayer.builder()
                .setName(name)
                .addEntryRecursive(
                        root,
                        target,
                        (file, _) -> Files.isDirectory(file) || Files.isExecutable(file)
                                ? FilePermissions.fromOctalString("755")
                                : FilePermissions.DEFAULT_FILE_PERMISSIONS)
                .build();
    }

    private Path jvm(Path target) throws IOException, InterruptedException {
        Process link = new ProcessBuilder(
                        distribution.java().resolveSibling("jlink").toString(),
                        "--add-modules",
                        "java.se,jdk.unsupported,jdk.zipfs,jdk.management",
                        "--generate-cds-archive",
                        "--strip-debug",
                        "--output",
                        target.toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(link.getInputStream().readAllBytes());
        if (link.waitFor() != 0) {
            throw new IOException("jlink failed: " + said.strip());
        }
        return target;
    }
}
