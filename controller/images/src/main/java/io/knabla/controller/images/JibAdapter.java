package io.knabla.controller.images;

import com.google.cloud.tools.jib.api.CacheDirectoryCreationException;
import com.google.cloud.tools.jib.api.Containerizer;
import com.google.cloud.tools.jib.api.ImageReference;
import com.google.cloud.tools.jib.api.InvalidImageReferenceException;
import com.google.cloud.tools.jib.api.Jib;
import com.google.cloud.tools.jib.api.JibContainer;
import com.google.cloud.tools.jib.api.JibContainerBuilder;
import com.google.cloud.tools.jib.api.LogEvent;
import com.google.cloud.tools.jib.api.RegistryException;
import com.google.cloud.tools.jib.api.RegistryImage;
import com.google.cloud.tools.jib.api.TarImage;
import com.google.cloud.tools.jib.api.buildplan.AbsoluteUnixPath;
import com.google.cloud.tools.jib.api.buildplan.FileEntriesLayer;
import com.google.cloud.tools.jib.api.buildplan.FilePermissions;
import com.google.cloud.tools.jib.api.buildplan.ImageFormat;
import com.google.cloud.tools.jib.api.buildplan.Platform;
import com.google.cloud.tools.jib.api.buildplan.Port;
import com.google.cloud.tools.jib.frontend.CredentialRetrieverFactory;
import io.knabla.controller.images.Image.Layer;
import io.knabla.controller.machine.Architecture;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.function.DoubleConsumer;
import java.util.stream.Stream;

/** Builds images with Jib: fetches the base image, writes OCI archives, pushes to registries. */
final class JibAdapter {
    /** This machine's, because its JVM and libraries are in the images. */
    private static final Platform PLATFORM =
            new Platform(Architecture.ofThisProcess().name(), "linux");

    private final BaseImage base;
    private final Map<String, String> labels;
    private final Path cache;
    private final boolean insecure;
    private final Consumer<String> log;

    /**
     * @param base base of the images
     * @param cache where layers are kept between runs
     * @param insecure whether plain HTTP is allowed everywhere, not only on this machine
     */
    JibAdapter(BaseImage base, Map<String, String> labels, Path cache, boolean insecure, Consumer<String> log) {
        this.base = base;
        this.labels = labels;
        this.cache = cache;
        this.insecure = insecure;
        this.log = log;
    }

    static ImageReference reference(String text) throws InvalidImageReferenceException {
        return ImageReference.parse(text);
    }

    /**
     * Fetches the base image once for all images. It is a step of its own, because a push to this machine allows plain
     * HTTP, which must not apply to the base's registry.
     */
    void fetchBase() throws IOException {
        if (base instanceof BaseImage.Named(var reference)) {
            Files.createDirectories(cache);
            build(
                    Jib.from(registry(reference)).setPlatforms(Set.of(PLATFORM)),
                    Containerizer.to(archive(fetchedBase(), "base")),
                    Optional.empty(),
                    _ -> {});
        }
    }

    private Path fetchedBase() {
        return cache.resolve("base.tar");
    }

    /** Writes an OCI archive; returns the image's digest. */
    String archive(Image image, Path file, DoubleConsumer progress) throws IOException {
        Files.createDirectories(file.getParent());
        return build(container(image), Containerizer.to(archive(file, image.name())), Optional.empty(), progress);
    }

    /** Pushes the image; returns its digest. */
    String push(Image image, ImageReference to, DoubleConsumer progress) throws IOException {
        return build(container(image), Containerizer.to(registry(to)), Optional.of(to), progress);
    }

    private static TarImage archive(Path file, String name) {
        return TarImage.at(file).named(ImageReference.of(null, name, null));
    }

    private String build(
            JibContainerBuilder from, Containerizer to, Optional<ImageReference> target, DoubleConsumer progress) {
        to.setBaseImageLayersCache(cache.resolve("base"))
                .setApplicationLayersCache(cache.resolve("layers"))
                .setAllowInsecureRegistries(insecure
                        || target.or(base::reference).filter(JibAdapter::isHere).isPresent())
                .setToolName("knabla")
                .addEventHandler(LogEvent.class, event -> log.accept(event.getMessage()));
        var fraction = new Fraction(progress);
        to.addEventHandler(
                com.google.cloud.tools.jib.event.events.ProgressEvent.class,
                event -> fraction.add(event.getAllocation().getFractionOfRoot() * event.getUnits()));
        try {
            JibContainer container = from.containerize(to);
            fraction.complete();
            return container.getDigest().toString();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw JibFailures.toFailure(stopped, base, target);
        } catch (RegistryException | CacheDirectoryCreationException | ExecutionException | IOException failed) {
            throw JibFailures.toFailure(failed, base, target);
        }
    }

    private JibContainerBuilder container(Image image) throws IOException {
        JibContainerBuilder container = from().setFormat(ImageFormat.OCI)
                .setEntrypoint(image.entrypoint())
                .setProgramArguments(image.arguments())
                .setEnvironment(image.environment())
                .setExposedPorts(Port.tcp(image.port()))
                .setUser(Image.USER)
                .setWorkingDirectory(AbsoluteUnixPath.get(Image.ROOT))
                .setPlatforms(Set.of(PLATFORM))
                .setLabels(labels)
                .addLabel("org.opencontainers.image.title", image.title());
        for (Layer layer : image.layers()) {
            container.addFileEntriesLayer(entries(layer));
        }
        return container;
    }

    private JibContainerBuilder from() {
        return switch (base) {
            case BaseImage.Named _ -> Jib.from(TarImage.at(fetchedBase()));
            case BaseImage.Host() -> Jib.fromScratch();
        };
    }

    private static FileEntriesLayer entries(Layer layer) throws IOException {
        var entries = FileEntriesLayer.builder().setName(layer.name());
        for (Path named : layer.files()) {
            try (Stream<Path> files = Files.walk(layer.tree().resolve(named))) {
                files.sorted().forEach(file -> add(entries, layer, file));
            }
        }
        return entries.build();
    }

    /** Sets permissions independent of user and umask: all may read, and only /tmp is writable. */
    private static void add(FileEntriesLayer.Builder entries, Layer layer, Path file) {
        boolean open = Files.isDirectory(file) || Files.isExecutable(file);
        String permissions = layer.at().equals("/") && file.endsWith("tmp") ? "777" : open ? "755" : "644";
        entries.addEntry(
                file,
                AbsoluteUnixPath.get(layer.at()).resolve(layer.tree().relativize(file)),
                FilePermissions.fromOctalString(permissions),
                Staging.TIME);
    }

    private RegistryImage registry(ImageReference reference) {
        var credentials = CredentialRetrieverFactory.forImage(reference, event -> log.accept(event.getMessage()));
        return RegistryImage.named(reference)
                .addCredentialRetriever(credentials.dockerConfig())
                .addCredentialRetriever(credentials.wellKnownCredentialHelpers());
    }

    /** Whether its registry is on this machine, where plain HTTP is usual and harmless. */
    private static boolean isHere(ImageReference reference) {
        try {
            String host = URI.create("http://" + reference.getRegistry()).getHost();
            return host != null && InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException | IllegalArgumentException elsewhere) {
            return false;
        }
    }

    /** Sums up Jib's progress events from many threads. */
    private static final class Fraction {
        private final DoubleConsumer listener;
        private double done;

        Fraction(DoubleConsumer listener) {
            this.listener = listener;
        }

        synchronized void add(double part) {
            done = Math.min(1, done + part);
            listener.accept(done);
        }

        synchronized void complete() {
            listener.accept(1);
        }
    }
}
