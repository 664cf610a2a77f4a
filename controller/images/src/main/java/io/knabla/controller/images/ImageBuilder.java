package io.knabla.controller.images;

import com.google.cloud.tools.jib.api.ImageReference;
import com.google.cloud.tools.jib.api.InvalidImageReferenceException;
import io.knabla.controller.cli.CliFailure;
import io.knabla.controller.cli.print.Progress;
import io.knabla.controller.cli.verbs.images.ImageBuild;
import io.knabla.controller.cli.verbs.images.ImageBuild.BuiltImage;
import io.knabla.controller.cli.verbs.images.ImageBuild.GpuParts;
import io.knabla.controller.cli.verbs.images.ImageBuild.Options;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/** Builds all images of Knabla: stages their files, writes OCI archives, pushes them if requested. */
final class ImageBuilder {
    private final Path root;
    private final String version;
    private final Options options;
    private final Progress progress;
    private final Consumer<String> log;
    private final Jvm jvm = Jvm.ofThisProcess();

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
            Optional<GpuBase> gpu = gpuBase();
            ImageWriter writer = usualBase();
            List<BuiltImage> made = write(writer, gpu);
            if (options.push().isPresent()) {
                Kustomization.write(root, made);
                progress.note("k8s/images now names them: kubectl apply -k k8s/overlays/local");
            }
            return made;
        } catch (IOException failed) {
            throw CliFailure.because(failed, "cannot make the images below %s: %s", target(), failed.getMessage());
        }
    }

    /** Stages all images at a time, since that is mostly the work of other processes. */
    private List<BuiltImage> write(ImageWriter writer, Optional<GpuBase> gpu) throws IOException {
        progress.step(
                "linking JVMs and training AOT caches of the controller, the replica, and the S3 server for development");
        var made = new ArrayList<BuiltImage>();
        // A file that the build lacks is told before anything is staged.
        var controllers = new ControllerImage(jvm, root.resolve("controller/target/quarkus-app"));
        var replicas = new ReplicaImage(jvm, root.resolve("runtime/target"));
        var stores = new S3Image(jvm, root.resolve("storage-adapters/s3-server/target"));
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Image> controller = threads.submit(() -> controllers.stage(target().resolve("controller")));
            Future<Image> replica = threads.submit(() -> replicas.stage(target().resolve("replica")));
            Future<Image> store = threads.submit(() -> stores.stage(target().resolve("s3")));
            made.add(writer.build(staged(controller)));
            made.add(writer.build(staged(replica)));
            made.add(writer.build(staged(store)));
            if (gpu.isPresent()) {
                made.add(onGpu(staged(replica), gpu.get()));
            }
        }
        return made;
    }

    private static Image staged(Future<Image> image) throws IOException {
        try {
            return image.get();
        } catch (ExecutionException failed) {
            switch (failed.getCause()) {
                case IOException unreadable -> throw unreadable;
                case RuntimeException wrong -> throw wrong;
                default -> throw new IllegalStateException(failed.getCause());
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw CliFailure.because(stopped, "interrupted");
        }
    }

    /** Uses the named base image; by default the usual one, or the host's libraries if it cannot be reached. */
    private ImageWriter usualBase() throws IOException {
        String name = options.base().orElse(ImageBuild.BASE);
        try {
            return on(base(name, "--base"), "jib");
        } catch (CliFailure failed) {
            if (!mayFallBackToHost(options, failed)) {
                throw failed;
            }
            progress.note(
                    "%s cannot be reached: this machine's own C library is the base instead (--base names another)"
                            .formatted(ImageBuild.BASE));
            return on(new BaseImage.Host(), "jib");
        }
    }

    private static BaseImage base(String name, String option) {
        return name.equals(BaseImage.HOST) ? new BaseImage.Host() : new BaseImage.Named(reference(name, option));
    }

    /** What the image for GPUs is made on. */
    private record GpuBase(BaseImage image, CudaWheels wheels) {}

    /** Fails before any image is made or pushed if wheels are missing. */
    private Optional<GpuBase> gpuBase() throws IOException {
        if (options.gpu().isEmpty()) {
            return Optional.empty();
        }
        GpuParts parts = options.gpu().get();
        BaseImage base = base(parts.base(), "--gpu-base");
        CudaWheels wheels = CudaWheels.of(parts.wheels());
        switch (base) {
            case BaseImage.Host() -> wheels.requireAll();
            case BaseImage.Named _ -> tellWhatTheBaseMustHave(wheels, parts);
        }
        return Optional.of(new GpuBase(base, wheels));
    }

    /** The replica's own layers are those of the image for CPUs. */
    private BuiltImage onGpu(Image replica, GpuBase base) throws IOException {
        BuiltImage built =
                on(base.image(), "jib-gpu").build(replica.onGpu(base.wheels().layers()), replica.layers());
        return built.with(base.wheels().contents());
    }

    private void tellWhatTheBaseMustHave(CudaWheels wheels, GpuParts parts) {
        if (!wheels.missing().isEmpty()) {
            progress.note("%s of NVIDIA must be in %s, since no wheel in %s has them"
                    .formatted(String.join(", ", wheels.missing()), parts.base(), parts.wheels()));
        }
    }

    /** Only local archives may fall back to the host's libraries; a pushed image has the base that it claims. */
    static boolean mayFallBackToHost(Options options, Throwable failed) {
        return options.base().isEmpty() && options.push().isEmpty() && JibFailures.isUnreachable(failed);
    }

    /** @param cache folder for the base and the layers */
    private ImageWriter on(BaseImage base, String cache) throws IOException {
        progress.step("fetching the base image " + base.name());
        Map<String, String> labels = Map.of(
                "org.opencontainers.image.version",
                version,
                "org.opencontainers.image.licenses",
                "Apache-2.0",
                "org.opencontainers.image.vendor",
                "Knabla",
                "org.opencontainers.image.base.name",
                base.name());
        var jib = new JibAdapter(base, labels, target().resolve(cache), options.insecure(), log);
        jib.fetchBase();
        return new ImageWriter(base, jib, options, target(), progress);
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

    static ImageReference reference(String text, String option) {
        try {
            return JibAdapter.reference(text);
        } catch (InvalidImageReferenceException malformed) {
            throw CliFailure.usageError(
                    "'%s' (from %s) is no image reference; write it as REGISTRY/NAME, such as registry.example.com/knabla: small letters, no scheme",
                    text, option);
        }
    }
}
