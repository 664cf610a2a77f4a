package io.knabla.controller.cli.verbs.images;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.knabla.controller.cli.CliFailure;
import io.knabla.controller.cli.ExitCodes;
import io.knabla.controller.cli.Settings;
import io.knabla.controller.cli.print.Documents;
import io.knabla.controller.cli.print.Progress;
import io.knabla.controller.cli.verbs.context.Context;
import io.knabla.controller.cli.verbs.images.ImageBuild.BuiltImage;
import io.knabla.controller.cli.verbs.images.ImageBuild.GpuParts;
import io.knabla.controller.cli.verbs.images.ImageBuild.Wheel;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Builds the container images for a cluster. */
@Command(
        name = "images",
        description = {
            "Builds the container images of the controller and of the replica, without Docker. Each has a JVM"
                    + " linked from this JDK, its program and an AOT cache trained with that JVM, on a plain glibc"
                    + " base.",
            "Always writes OCI archives below target/images. With --push also pushes them, with the credentials of"
                    + " ~/.docker/config.json, and names the pushed images in k8s/images, which every overlay reads."
                    + " Prints digests and the kustomize commands that set the same names elsewhere."
        },
        footer = {
            "",
            "Examples:",
            "  ./knabla images",
            "  ./knabla images --push registry.example.com/knabla",
            "  ./knabla images --push 127.0.0.1:5000/knabla --base 127.0.0.1:5000/base/cc:12",
            "  ./knabla images --push registry.example.com/knabla --gpu-base " + ImageBuild.BASE
        })
public final class ImagesCommand implements Callable<Integer> {
    @Option(
            names = "--push",
            paramLabel = "REPOSITORY",
            description = "Where to push: REPOSITORY/controller, REPOSITORY/replica and, for development,"
                    + " REPOSITORY/s3.")
    String push;

    @Option(
            names = "--base",
            paramLabel = "IMAGE",
            description = "The base image: glibc, libstdc++, time zones; no shell or JVM needed"
                    + " (default: KNABLA_IMAGE_BASE, image_base of config.yaml, or "
                    + ImageBuild.BASE
                    + "); 'host' uses this machine's own C library.")
    String base;

    @Option(
            names = "--gpu-base",
            paramLabel = "IMAGE",
            description = "Also makes the image of replicas on NVIDIA GPUs, replica-gpu: the replica on this base,"
                    + " with ONNX Runtime's CUDA provider and those of NVIDIA's libraries that pip installed into"
                    + " KNABLA_CUDA_HOME (default: knabla/cuda in the user's cache folder); the base must have the"
                    + " others. Prints sizes and licences.")
    String gpuBase;

    @Option(names = "--tag", paramLabel = "TAG", description = "The images' tag (default: derived from the content).")
    String tag;

    @Option(
            names = "--insecure",
            description = "Also allow plain HTTP, or TLS with an untrusted certificate. For a registry on this"
                    + " machine both are always allowed.")
    boolean insecure;

    private final Context context;

    public ImagesCommand(Context context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        var wish = new ImageBuild.Options(
                Optional.ofNullable(base).or(() -> Settings.ofProcess().find("image_base")),
                Optional.ofNullable(push).map(text -> text.replaceAll("/+$", "")),
                Optional.ofNullable(tag),
                insecure,
                Optional.ofNullable(gpuBase).map(image -> new GpuParts(image, wheels(System.getenv()))));
        var progress = new Progress(context.console(), context.options().quiet);
        Consumer<String> log = context.options().verbose ? progress::note : _ -> {};
        List<BuiltImage> made = service().build(root(), version(), wish, progress, log);
        print(made);
        return ExitCodes.SUCCESS;
    }

    /** As a replica on this machine finds them. */
    static Path wheels(Map<String, String> environment) {
        String home = environment.getOrDefault("KNABLA_CUDA_HOME", "");
        String cache = environment.getOrDefault("XDG_CACHE_HOME", "");
        String user = environment.getOrDefault("HOME", System.getProperty("user.home"));
        Path caches = cache.isBlank() ? Path.of(user, ".cache") : Path.of(cache);
        return (home.isBlank() ? caches.resolve("knabla/cuda") : Path.of(home)).toAbsolutePath();
    }

    private static ImageBuild service() {
        return ServiceLoader.load(ImageBuild.class)
                .findFirst()
                .orElseThrow(() -> CliFailure.failed(
                        "what builds images is not on the class path; run ./knabla images in a checkout"));
    }

    private static Path root() {
        String root = System.getenv("KNABLA_DIST");
        if (root == null) {
            throw CliFailure.failed(
                    "images are made from a checkout; run ./knabla images in one (KNABLA_DIST is not set)");
        }
        return Path.of(root);
    }

    private static String version() {
        return Optional.ofNullable(ImagesCommand.class.getPackage().getImplementationVersion())
                .orElse("0");
    }

    private void print(List<BuiltImage> made) {
        var console = context.console();
        switch (context.format()) {
            case json -> console.out().println(Documents.json(document(made)));
            case yaml -> console.out().println(Documents.yaml(document(made)));
            case name -> made.forEach(one -> console.print("%s", place(one)));
            case table, wide -> {
                made.forEach(one -> console.print("%s", digested(one)));
                made.stream().flatMap(one -> one.wheels().stream()).forEach(one -> console.print("%s", content(one)));
                made.stream()
                        .filter(one -> one.reference().isPresent())
                        .forEach(one -> console.print("%s", command(one)));
            }
        }
    }

    private static String place(BuiltImage one) {
        return one.reference().orElseGet(() -> one.archive().toString());
    }

    private static String digested(BuiltImage one) {
        return one.reference().orElseGet(() -> one.archive() + "@" + one.digest());
    }

    static String content(Wheel wheel) {
        return "  %s %s: %d MiB, licence: %s"
                .formatted(wheel.name(), wheel.version(), Math.ceilDiv(wheel.bytes(), 1 << 20), wheel.licence());
    }

    /** Sets the same name elsewhere: manifests name all images but that for GPUs, which few installations have. */
    static String command(BuiltImage one) {
        String reference = one.reference().orElseThrow();
        return one.isForGpus()
                ? "kubectl -n knabla-system set env deployment/knabla-controller KNABLA_CLUSTER_GPU_IMAGE=" + reference
                : "kustomize edit set image knabla/%s=%s".formatted(one.name(), reference);
    }

    private static ObjectNode document(List<BuiltImage> made) {
        ObjectNode document = Documents.JSON.createObjectNode();
        ArrayNode images = document.putArray("images");
        for (BuiltImage one : made) {
            ObjectNode image = images.addObject()
                    .put("name", one.name())
                    .put("tag", one.tag())
                    .put("digest", one.digest())
                    .put("archive", one.archive().toString());
            one.reference()
                    .ifPresent(reference ->
                            image.put("image", reference).put(one.isForGpus() ? "kubectl" : "kustomize", command(one)));
            if (one.isForGpus()) {
                ArrayNode wheels = image.putArray("wheels");
                one.wheels()
                        .forEach(wheel -> wheels.addObject()
                                .put("name", wheel.name())
                                .put("version", wheel.version())
                                .put("bytes", wheel.bytes())
                                .put("licence", wheel.licence()));
            }
        }
        return document;
    }
}
