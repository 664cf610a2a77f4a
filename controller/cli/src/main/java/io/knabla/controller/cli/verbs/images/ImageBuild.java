package io.knabla.controller.cli.verbs.images;

import io.knabla.controller.cli.print.Progress;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Builds the container images; a service that only the verb {@code images} loads, because it needs Jib. The command
 * line links neither Jib nor the other libraries that only this verb needs; the launcher adds this service to the class
 * path.
 */
public interface ImageBuild {
    /** Default base image: glibc and libstdc++, no shell. */
    String BASE = "gcr.io/distroless/cc-debian12:nonroot";

    /**
     * Options of a build of images.
     *
     * @param base base image, or {@code host} for this machine's own libraries; empty for {@link #BASE}, or for the
     *     host's libraries if that cannot be reached and nothing is pushed
     * @param push repository that contains those of the images; empty to write archives only
     * @param tag empty for one derived from the content
     * @param gpu what the image of replicas on GPUs is made of; empty to make none
     */
    record Options(
            Optional<String> base,
            Optional<String> push,
            Optional<String> tag,
            boolean insecure,
            Optional<GpuParts> gpu) {}

    /**
     * What the image of replicas on GPUs has besides.
     *
     * @param base base image, or {@code host}
     * @param wheels folder into which pip installed ONNX Runtime's CUDA provider and NVIDIA's libraries
     */
    record GpuParts(String base, Path wheels) {}

    /**
     * A Python wheel of which files are in an image.
     *
     * @param bytes of those files, uncompressed
     * @param licence in short, as the wheel says it
     */
    record Wheel(String name, String version, long bytes, String licence) {}

    /**
     * A built image.
     *
     * @param reference pushed image with its digest, which clusters use without resolving a tag; empty if not pushed
     * @param wheels whose files are in it; with any, it is the image of replicas on GPUs
     */
    record BuiltImage(
            String name, String tag, String digest, Path archive, Optional<String> reference, List<Wheel> wheels) {
        public BuiltImage {
            wheels = List.copyOf(wheels);
        }

        /** The same image, with what is known of its wheels. */
        public BuiltImage with(List<Wheel> found) {
            return new BuiltImage(name, tag, digest, archive, reference, found);
        }

        public boolean isForGpus() {
            return !wheels.isEmpty();
        }
    }

    /** @param root folder of a built checkout */
    List<BuiltImage> build(Path root, String version, Options options, Progress progress, Consumer<String> log);
}
