package io.knabla.controller.images;

import io.knabla.controller.cli.CliFailure;
import io.knabla.controller.cli.print.Bar;
import io.knabla.controller.cli.print.Progress;
import io.knabla.controller.cli.verbs.images.ImageBuild.BuiltImage;
import io.knabla.controller.cli.verbs.images.ImageBuild.Options;
import io.knabla.controller.images.Image.Layer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.DoubleConsumer;
import java.util.stream.Stream;

/**
 * Writes images on one base as OCI archives, and pushes them if requested.
 *
 * @param target folder of the archives
 */
record ImageWriter(BaseImage base, JibAdapter jib, Options options, Path target, Progress progress) {
    private static final int TAG_LENGTH = 12;

    BuiltImage build(Image plain) throws IOException {
        return build(plain, plain.layers());
    }

    /** @param linking layers whose native files link libraries of the base; others bring their own */
    BuiltImage build(Image plain, List<Layer> linking) throws IOException {
        Image image = switch (base) {
            case BaseImage.Host() ->
                plain.withLowestLayer(HostLibraries.layer(linking, target.resolve(plain.name() + "/host")));
            case BaseImage.Named _ -> plain;
        };
        Path archive = target.resolve(image.name() + ".tar");
        long bytes = bytes(image);
        String digest;
        try (Bar bar = progress.writing(archive.getFileName().toString(), bytes)) {
            digest = jib.archive(image, archive, share(bar, bytes));
        }
        String tag = options.tag()
                .orElseGet(() -> digest.substring("sha256:".length()).substring(0, TAG_LENGTH));
        Optional<String> place = options.push().map(repository -> repository + "/" + image.name());
        if (place.isPresent()) {
            push(image, place.get() + ":" + tag, digest, bytes);
        }
        return new BuiltImage(image.name(), tag, digest, archive, place.map(to -> to + "@" + digest), List.of());
    }

    private void push(Image image, String to, String digest, long bytes) throws IOException {
        String pushed;
        try (Bar bar = progress.uploading(to, 0, bytes)) {
            pushed = jib.push(image, ImageBuilder.reference(to, "--push"), share(bar, bytes));
        }
        if (!pushed.equals(digest)) {
            throw CliFailure.failed(
                    "%s was pushed as %s, but its archive is %s. Remove target/images and run the command again.",
                    to, pushed, digest);
        }
    }

    /** Converts Jib's progress in fractions to the bar's bytes. */
    private static DoubleConsumer share(Bar bar, long bytes) {
        var told = new long[1];
        return fraction -> {
            synchronized (told) {
                long now = Math.round(fraction * bytes);
                if (now > told[0]) {
                    bar.add(now - told[0]);
                    told[0] = now;
                }
            }
        };
    }

    private static long bytes(Image image) throws IOException {
        long bytes = 0;
        for (Image.Layer layer : image.layers()) {
            for (Path named : layer.files()) {
                try (Stream<Path> files = Files.walk(layer.tree().resolve(named))) {
                    bytes += files.mapToLong(file -> file.toFile().length()).sum();
                }
            }
        }
        return bytes;
    }
}
