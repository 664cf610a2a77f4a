package io.knabla.bench.cluster;

import com.google.cloud.tools.jib.api.Containerizer;
import com.google.cloud.tools.jib.api.Jib;
import com.google.cloud.tools.jib.api.RegistryImage;
import com.google.cloud.tools.jib.api.buildplan.AbsoluteUnixPath;
import com.google.cloud.tools.jib.api.buildplan.FileEntriesLayer;
import com.google.cloud.tools.jib.api.buildplan.FilePermissions;
import io.knabla.bench.machine.Folders;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Builds the image of a static Go program that answers every request: one file, no base image. */
final class StaticImage {
    private static final AbsoluteUnixPath PROGRAM = AbsoluteUnixPath.get("/static");

    private StaticImage() {}

    /** Builds and pushes the image and returns its name; empty if this machine has no {@code go}. */
    static Optional<String> push(TestBed bed, String tag) {
        Path folder = Folders.temporary();
        String name = bed.registry() + "/knabla/bench-static:" + tag;
        try {
            Optional<Path> program = build(folder);
            if (program.isPresent()) {
                Jib.fromScratch()
                        .addFileEntriesLayer(FileEntriesLayer.builder()
                                .addEntry(program.get(), PROGRAM, FilePermissions.fromOctalString("755"))
                                .build())
                        .setEntrypoint(PROGRAM.toString())
                        .setUser("65532")
                        .containerize(
                                Containerizer.to(RegistryImage.named(name)).setAllowInsecureRegistries(true));
            }
            return program.map(_ -> name);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while pushing " + name, stopped);
        } catch (Exception failed) {
            throw new IllegalStateException("cannot push " + name, failed);
        } finally {
            Folders.delete(folder);
        }
    }

    private static Optional<Path> build(Path folder) throws IOException, InterruptedException {
        Path source = folder.resolve("static.go");
        try (InputStream in = StaticImage.class.getResourceAsStream("/cluster/static.go")) {
            Files.copy(in, source);
        }
        Path program = folder.resolve("static");
        var builder = new ProcessBuilder(
                        "go", "build", "-trimpath", "-ldflags=-s -w", "-o", program.toString(), source.toString())
                .redirectErrorStream(true);
        builder.environment().put("CGO_ENABLED", "0");
        Process go;
        try {
            go = builder.start();
        } catch (IOException absent) {
            return Optional.empty();
        }
        String said = new String(go.getInputStream().readAllBytes());
        if (go.waitFor() != 0) {
            throw new IOException("go build failed: " + said.strip());
        }
        return Optional.of(program);
    }
}
