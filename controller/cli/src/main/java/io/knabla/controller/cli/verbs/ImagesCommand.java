package io.knabla.controller.cli.verbs;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.knabla.controller.cli.CliFailure;
import io.knabla.controller.cli.ExitCodes;
import io.knabla.controller.cli.Settings;
import io.knabla.controller.cli.print.Documents;
import io.knabla.controller.cli.print.Progress;
import io.knabla.controller.cli.verbs.ImageBuild.BuiltImage;
import java.nio.file.Path;
import java.util.List;
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
            "  ./knabla images --push 127.0.0.1:5000/knabla --base 127.0.0.1:5000/base/cc:12"
        })
final class ImagesCommand implements Callable<Integer> {
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

    @Option(names = "--tag", paramLabel = "TAG", description = "The images' tag (default: derived from the content).")
    String tag;

    @Option(
            names = "--insecure",
            description = "Also allow plain HTTP, or TLS with an untrusted certificate. For a registry on this"
                    + " machine both are always allowed.")
    boolean insecure;

    private final Context context;

    ImagesCommand(Context context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        var wish = new ImageBuild.Options(
                Optional.ofNullable(base).or(() -> Settings.ofProcess().find("image_base")),
                Optional.ofNullable(push).map(text -> text.replaceAll("/+$", "")),
                Optional.ofNullable(tag),
                insecure);
        var progress = new Progress(context.console(), context.options().quiet);
        Consumer<String> log = context.options().verbose ? progress::note : _ -> {};
        List<BuiltImage> made = service().build(root(), version(), wish, progress, log);
        print(made);
        return ExitCodes.SUCCESS;
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
                made.stream()
                        .filter(one -> one.reference().isPresent())
                        .forEach(one -> console.print("%s", kustomize(one)));
            }
        }
    }

    private static String place(BuiltImage one) {
        return one.reference().orElseGet(() -> one.archive().toString());
    }

    private static String digested(BuiltImage one) {
        return one.reference().orElseGet(() -> one.archive() + "@" + one.digest());
    }

    private static String kustomize(BuiltImage one) {
        return "kustomize edit set image knabla/%s=%s"
                .formatted(one.name(), one.reference().orElseThrow());
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
            one.reference().ifPresent(reference -> image.put("image", reference).put("kustomize", kustomize(one)));
        }
        return document;
    }
}
