package io.knabla.controller.images;

import com.google.cloud.tools.jib.api.ImageReference;
import com.google.cloud.tools.jib.api.InvalidImageReferenceException;
import io.knabla.controller.cli.CliFailure;
import io.knabla.controller.cli.print.Bar;
import io.knabla.controller.cli.print.Progress;
import io.knabla.controller.cli.verbs.ImageBuild;
import io.knabla.controller.cli.verbs.ImageBuild.BuiltImage;
import io.knabla.controller.cli.verbs.ImageBuild.Options;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.DoubleConsumer;
import java.util.stream.Stream;

/** Builds all images of Knabla: stages their files, writes OCI archives, pushes them if requested. */
final class ImageBuilder {
    private static final int TAG_LENGTH = 12;

    private final Path root;
    private final String version;
    private final Options options;
    private final Progress progress;
    private final Consumer<String> log;
    private final Jvm jvm = Jvm.ofThisProcess();
    private BaseImage base;
    private JibAdapter jib;

    /** @param root folder of a built checkout */
    ImageBuilder(Path root, String version, Options wish, Progress progress, Consumer<String> log) {
        this.root = root;
        this.version = version;
        this.options = wish;
        this.progress = progress;
        this.log = log;
    }

    List<BuiltImage> build() {
        Jvm.requireLinux(System.getProperty("os.name"));
        options.push().ifPresent(repository -> reference(repository + "/replica", "--push"));
        options.tag().ifPresent(ImageBuilder::checkTag);
        try {
            chooseBase();
            var made = new ArrayList<BuiltImage>();
            made.add(build(controller()));
            made.add(build(replica()));
            made.add(build(store()));
            if (options.push().isPresent()) {
                Kustomization.write(root, made);
                progress.note("k8s/images now names them: kubectl apply -k k8s/overlays/local");
            }
            return made;
        } catch (IOException failed) {
            throw CliFailure.because(failed, "cannot make the images below %s: %s", target(), failed.getMessage());
        }
    }

    /** Uses the named base image; by default the usual one, or the host's libraries if it cannot be reached. */
    private void chooseBase() throws IOException {
        String name = options.base().orElse(ImageBuild.BASE);
        use(name.equals(BaseImage.HOST) ? new BaseImage.Host() : new BaseImage.Named(reference(name, "--base")));
        progress.step("fetching the base image " + base.name());
        try {
            jib.fetchBase();
        } catch (CliFailure failed) {
            if (!mayFallBackToHost(options, failed)) {
                throw failed;
            }
            progress.note(
                    "%s cannot be reached: this machine's own C library is the base instead (--base names another)"
                            .formatted(ImageBuild.BASE));
            use(new BaseImage.Host());
        }
    }

    /** Only local archives may fall back to the host's libraries; a pushed image has the base that it claims. */
    static boolean mayFallBackToHost(Options options, Throwable failed) {
        return options.base().isEmpty() && options.push().isEmpty() && JibFailures.isUnreachable(failed);
    }

    private void use(BaseImage chosen) {
        base = chosen;
        Map<String, String> labels = Map.of(
                "org.opencontainers.image.version",
                version,
                "org.opencontainers.image.licenses",
                "Apache-2.0",
                "org.opencontainers.image.vendor",
                "Knabla",
                "org.opencontainers.image.base.name",
                base.name());
        jib = new JibAdapter(base, labels, target().resolve("jib"), options.insecure(), log);
    }

    private Image controller() throws IOException {
        progress.step("the controller: linking a JVM, training its AOT cache");
        return new ControllerImage(jvm, root.resolve("controller/target/quarkus-app"))
                .stage(target().resolve("controller"));
    }

    private Image replica() throws IOException {
        progress.step("the replica: linking a JVM, training its AOT cache");
        return new ReplicaImage(jvm, root.resolve("runtime/target")).stage(target().resolve("replica"));
    }

    private Image store() throws IOException {
        progress.step("the S3 server for development: linking a JVM");
        return new S3Image(jvm, root.resolve("storage-adapters/s3-server/target")).stage(target().resolve("s3"));
    }

    private BuiltImage build(Image plain) throws IOException {
        Image image = base instanceof BaseImage.Host
                ? plain.withLowestLayer(HostLibraries.layer(plain.layers(), target().resolve(plain.name() + "/host")))
                : plain;
        Path archive = target().resolve(image.name() + ".tar");
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
        return new BuiltImage(image.name(), tag, digest, archive, place.map(to -> to + "@" + digest));
    }

    private void push(Image image, String to, String digest, long bytes) throws IOException {
        String pushed;
        try (Bar bar = progress.uploading(to, 0, bytes)) {
            pushed = jib.push(image, reference(to, "--push"), share(bar, bytes));
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

    private Path target() {
        return root.resolve("target/images");
    }

    private static void checkTag(String tag) {
        if (!ImageReference.isValidTag(tag)) {
            throw CliFailure.usageError(
                    "'%s' (from --tag) is no tag; write 1 to 128 letters of A to Z, a to z, digits, '_', '.' and '-', the first no '.' or '-', such as v1.2",
                    tag);
        }
    }

    private static ImageReference reference(String text, String option) {
        try {
            return JibAdapter.reference(text);
        } catch (InvalidImageReferenceException malformed) {
            throw CliFailure.usageError(
                    "'%s' (from %s) is no image reference; write it as REGISTRY/NAME, such as registry.example.com/knabla: small letters, no scheme",
                    text, option);
        }
    }
}
