package io.knabla.controller.images;

import io.knabla.controller.images.Image.Layer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Builds the image of the local overlay's S3 server. It starts once and runs for hours, so it has no AOT cache. */
final class S3Image {
    private static final Path LIBRARIES = Path.of("lib");
    private static final int PORT = 8080;

    private final Jvm jvm;
    private final List<Path> jars;

    /** @param built {@code storage-adapters/s3-server/target} */
    S3Image(Jvm jvm, Path built) throws IOException {
        this.jvm = jvm;
        this.jars = new ArrayList<>(BuildOutput.jars(BuildOutput.file(built, "lib")));
        jars.add(BuildOutput.single(built, "s3-server-.*\\.jar"));
    }

    Image stage(Path folder) throws IOException {
        Path tree = new Staging(folder).dependsOn(jvm.buildId()).dependsOn(jars).tree(fresh -> {
            jvm.link(UsedModules.by(jars), fresh);
            for (Path jar : jars) {
                Staging.copy(jar, fresh.resolve(LIBRARIES));
            }
        });
        return new Image(
                "s3",
                "Knabla S3 server: a store for development, on one disk",
                List.of(new Layer("jvm", tree, List.of(Jvm.FOLDER)), new Layer("program", tree, List.of(LIBRARIES))),
                List.of(Image.ROOT + "/" + Jvm.FOLDER + "/bin/java"),
                List.of(
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:MaxRAMPercentage=60",
                        "-XX:+ExitOnOutOfMemoryError",
                        "-cp",
                        Image.ROOT + "/" + LIBRARIES + "/*",
                        "io.knabla.s3server.Main"),
                Map.of("MALLOC_ARENA_MAX", "1"),
                PORT);
    }
}
