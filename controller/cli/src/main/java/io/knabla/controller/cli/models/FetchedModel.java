package io.knabla.controller.cli.models;

import io.knabla.controller.cli.CliFailure;
import io.knabla.controller.cli.print.Bar;
import io.knabla.controller.cli.print.Progress;
import io.knabla.functions.packaging.Packager;
import io.knabla.functions.unit.download.Download;
import io.knabla.functions.unit.download.DownloadListener;
import io.knabla.functions.unit.download.RangeSource;
import io.knabla.storage.ByteRange;
import io.knabla.storage.ExternalAddress;
import io.knabla.storage.ExternalObjects;
import io.knabla.storage.ExternalObjects.StatResult;
import io.knabla.storage.StorageException;
import io.knabla.storage.setup.Stores;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/** Temporary local copy of a model in a bucket, with its external weight files; deleted on close. */
public final class FetchedModel implements AutoCloseable {
    private final Path folder;
    private final Path model;

    private FetchedModel(Path folder, Path model) {
        this.folder = folder;
        this.model = model;
    }

    /**
     * @param environment settings for S3, by variable name
     * @param below parent of the temporary folder
     */
    public static FetchedModel download(
            String address, Map<String, String> environment, Path below, Progress progress) {
        ExternalAddress from = ExternalAddress.parse(address)
                .orElseThrow(
                        () -> CliFailure.usageError("'%s' is no object's address. Write s3://bucket/key.", address));
        try (ExternalObjects objects = Stores.external(environment)) {
            Files.createDirectories(below);
            Path folder = Files.createTempDirectory(below, "model");
            var fetched = new FetchedModel(folder, folder.resolve(from.name()));
            boolean done = false;
            try {
                fetched.fetch(objects, from, progress);
                done = true;
                return fetched;
            } finally {
                if (!done) {
                    fetched.close();
                }
            }
        } catch (IOException refused) {
            throw CliFailure.because(refused, "cannot write below %s: %s", below, refused.getMessage());
        }
    }

    private void fetch(ExternalObjects objects, ExternalAddress from, Progress progress) throws IOException {
        fetch(objects, from, model, progress);
        for (String location : Packager.externalLocations(model).orElse(List.of())) {
            Path file = folder.resolve(location).normalize();
            Optional<ExternalAddress> weights = from.sibling(location);
            // A location outside the folder is reported later as a fault of the model, as for local files.
            if (file.startsWith(folder) && !file.equals(model) && weights.isPresent()) {
                Files.createDirectories(file.getParent());
                fetch(objects, weights.get(), file, progress);
            }
        }
    }

    private static void fetch(ExternalObjects objects, ExternalAddress from, Path to, Progress progress)
            throws IOException {
        switch (objects.stat(from)) {
            case StatResult.Absent(var sentence) -> throw CliFailure.failed("%s", sentence);
            case StatResult.Refused(var sentence) -> throw CliFailure.failed("%s", sentence);
            case StatResult.Found found -> {
                try (Bar bar = progress.downloading(from.name(), found.size())) {
                    var item = new Download.Item(new Source(objects, from, found), to);
                    Download.run(List.of(item), objects.parallelism(), listener(bar));
                    Download.deleteNotes(to);
                } catch (StorageException unreadable) {
                    throw CliFailure.because(unreadable, "%s", unreadable.getMessage());
                }
            }
        }
    }

    private static DownloadListener listener(Bar bar) {
        var before = new AtomicLong();
        return (done, _) -> bar.add(done - before.getAndSet(done));
    }

    private record Source(ExternalObjects objects, ExternalAddress address, StatResult.Found found)
            implements RangeSource {
        @Override
        public long size() {
            return found.size();
        }

        @Override
        public String name() {
            return address.toString();
        }

        @Override
        public InputStream open(ByteRange range) {
            return objects.open(address, found.etag(), range);
        }
    }

    public Path file() {
        return model;
    }

    @Override
    public void close() {
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        } catch (IOException left) {
            System.getLogger(FetchedModel.class.getName())
                    .log(System.Logger.Level.WARNING, "cannot delete " + folder, left);
        }
    }
}
