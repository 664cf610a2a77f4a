package io.knabla.controller.models;

import io.knabla.controller.config.Settings;
import io.knabla.controller.home.StoreAccess;
import io.knabla.controller.models.CopyRecords.CopyRecord;
import io.knabla.controller.models.ExternalCopies.Copy;
import io.knabla.controller.models.LocalModels.BorrowedFile;
import io.knabla.controller.models.ModelSource.Place;
import io.knabla.controller.models.ModelSource.Source;
import io.knabla.functions.Fault;
import io.knabla.functions.compiler.onnx.ExternalData;
import io.knabla.functions.packaging.FolderFiles;
import io.knabla.functions.spec.FunctionSpec.FunctionType;
import io.knabla.functions.unit.Digest;
import io.knabla.storage.ExternalAddress;
import io.knabla.storage.ExternalObjects;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.setup.Stores;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * Copies the files that a function names in other buckets to the model store, once per ETag. It reads them with the
 * platform's own credentials: anyone who may deploy can read whatever these can.
 */
@Singleton
public final class ExternalModels {
    /** The same limit as for a spec. */
    private static final int MOST_LOCATIONS = 4_096;

    /** Result of fetching the files. */
    public sealed interface FetchResult {
        /** All files are in the model store; those just fetched are still on this machine. */
        record Fetched(Source.Uploaded source, List<BorrowedFile> lent) implements FetchResult, AutoCloseable {
            @Override
            public void close() {
                lent.forEach(BorrowedFile::close);
            }
        }

        record Refused(List<Fault> faults) implements FetchResult {}
    }

    private final ExternalObjects objects;
    private final ExternalCopies copies;
    private final LocalModels models;

    @Inject
    ExternalModels(StoreAccess access, ObjectStore store, LocalModels models, Settings settings) {
        this(
                Stores.external(access.environment()),
                store,
                models,
                settings.upload().mebibytes() << 20);
    }

    /** @param most bytes of one object */
    ExternalModels(ExternalObjects objects, ObjectStore store, LocalModels models, long most) {
        this.objects = objects;
        this.models = models;
        this.copies = new ExternalCopies(objects, store, models, most);
    }

    @PreDestroy
    void close() {
        objects.close();
    }

    /** @throws io.knabla.storage.StorageException if our store or disk fails, or a download breaks off */
    public FetchResult fetch(Source.External source) {
        List<BorrowedFile> lent = new ArrayList<>();
        boolean done = false;
        try {
            FetchResult brought = new FetchTask(source, lent).run();
            done = brought instanceof FetchResult.Fetched;
            return brought;
        } finally {
            if (!done) {
                lent.forEach(BorrowedFile::close);
            }
        }
    }

    /** Collects the files and faults of one source. */
    private final class FetchTask {
        private final Source.External source;
        private final List<BorrowedFile> lent;
        private final List<Fault> faults = new ArrayList<>();
        private final Map<String, Digest> external = new TreeMap<>();

        FetchTask(Source.External source, List<BorrowedFile> lent) {
            this.source = source;
            this.lent = lent;
        }

        FetchResult run() {
            Optional<Digest> model = model();
            source.externalData()
                    .forEach((location, place) -> digest(ModelSource.externalPath(location), place)
                            .ifPresent(found -> external.put(location, found)));
            Optional<Digest> calibration =
                    source.calibration().flatMap(place -> digest(ModelSource.CALIBRATION, place));
            return faults.isEmpty()
                    ? new FetchResult.Fetched(new Source.Uploaded(model.orElseThrow(), external, calibration), lent)
                    : new FetchResult.Refused(faults);
        }

        private Optional<Digest> model() {
            return switch (source.model()) {
                case Place.Stored(var digest) -> Optional.of(digest);
                case Place.External(var address) -> {
                    Optional<CopyRecord> model =
                            copy(ModelSource.MODEL, address, source.folder().isEmpty(), told -> told);
                    model.ifPresent(seen -> source.folder()
                            .ifPresentOrElse(
                                    type -> folder(address, seen.digest(), type),
                                    () -> beside(address, seen.locations())));
                    yield model.map(CopyRecord::digest);
                }
            };
        }

        /** Weights that the spec does not locate are expected beside the model. */
        private void beside(ExternalAddress model, List<String> locations) {
            locations.stream()
                    .filter(location -> !source.externalData().containsKey(location))
                    .filter(ExternalData::isConfined)
                    .limit(MOST_LOCATIONS)
                    .forEach(location -> model.sibling(location)
                            .flatMap(address -> weights(location, address))
                            .ifPresent(found -> external.put(location, found)));
        }

        /**
         * Finds what packaging reads beside config.json; what it lacks is told by packaging. Of a model that cannot be
         * packaged, whatever the other files are, none is copied.
         */
        private void folder(ExternalAddress config, Digest digest, FunctionType type) {
            try (LinkedFolder seen = LinkedFolder.of(local(digest), Map.of())) {
                List<Fault> unusable = FolderFiles.configFaults(seen.folder(), type);
                if (!unusable.isEmpty()) {
                    faults.addAll(unusable);
                    return;
                }
                Set<String> tried = new HashSet<>(source.externalData().keySet());
                List<String> next = untried(seen, type, tried);
                while (!next.isEmpty()) {
                    next.forEach(name -> fromFolder(config, name, seen));
                    next = untried(seen, type, tried);
                }
            } catch (IOException full) {
                throw new UncheckedIOException("cannot read a temporary folder", full);
            }
        }

        private static List<String> untried(LinkedFolder seen, FunctionType type, Set<String> tried)
                throws IOException {
            // Of all rounds together: an index may name as many as it likes.
            int left = Math.max(0, MOST_LOCATIONS - tried.size());
            List<String> next = FolderFiles.read(seen.folder(), type).stream()
                    .distinct()
                    .filter(name -> !tried.contains(name))
                    .limit(left)
                    .toList();
            tried.addAll(next);
            return next;
        }

        private void fromFolder(ExternalAddress config, String name, LinkedFolder seen) {
            switch (config.sibling(name).map(it -> copies.copy(it, false, lent)).orElse(null)) {
                case null -> {}
                case Copy.Absent _ -> {}
                case Copy.Refused(var sentence) -> faults.add(new Fault(ModelSource.MODEL, sentence));
                case Copy.Done(var found) -> {
                    external.put(name, found.digest());
                    // Of weights only the names are read here.
                    seen.add(name, name.endsWith(".json") ? local(found.digest()) : seen.config());
                }
            }
        }

        private Path local(Digest digest) {
            lent.add(models.borrow(digest));
            return lent.getLast().file();
        }

        private Optional<Digest> weights(String location, ExternalAddress address) {
            return copy(
                            ModelSource.MODEL,
                            address,
                            false,
                            told ->
                                    "keeps weights in '%s': %s; copy them beside the model, or say under spec.externalData where they are"
                                            .formatted(location, told))
                    .map(CopyRecord::digest);
        }

        private Optional<Digest> digest(String path, Place place) {
            return switch (place) {
                case Place.Stored(var digest) -> Optional.of(digest);
                case Place.External(var address) ->
                    copy(path, address, false, told -> told).map(CopyRecord::digest);
            };
        }

        private Optional<CopyRecord> copy(
                String path, ExternalAddress address, boolean named, UnaryOperator<String> telling) {
            return switch (copies.copy(address, named, lent)) {
                case Copy.Done(var seen) -> Optional.of(seen);
                case Copy.Absent(var sentence) -> {
                    faults.add(new Fault(path, telling.apply(sentence)));
                    yield Optional.empty();
                }
                case Copy.Refused(var sentence) -> {
                    faults.add(new Fault(path, telling.apply(sentence)));
                    yield Optional.empty();
                }
            };
        }
    }
}
