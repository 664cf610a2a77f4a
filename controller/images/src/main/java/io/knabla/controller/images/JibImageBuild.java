package io.knabla.controller.images;

import io.knabla.controller.cli.print.Progress;
import io.knabla.controller.cli.verbs.images.ImageBuild;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/** Implements the verb {@code images} with Jib; found by name in {@code META-INF/services}. */
public final class JibImageBuild implements ImageBuild {
    @Override
    public List<BuiltImage> build(Path root, String version, Options options, Progress progress, Consumer<String> log) {
        return new ImageBuilder(root, version, options, progress, log).build();
    }
}
