package io.knabla.controller.deploy;

import io.knabla.controller.Settings;
import io.knabla.controller.StoreAccess;
import io.knabla.controller.deploy.ForeignCopies.Copy;
import io.knabla.controller.deploy.LocalModels.Lent;
import io.knabla.controller.deploy.ModelSource.Place;
import io.knabla.controller.deploy.ModelSource.Source;
import io.knabla.controller.deploy.SourceMemory.Seen;
import io.knabla.functions.graph.ExternalData;
import io.knabla.functions.spec.Fault;
import io.knabla.functions.unit.Digest;
import io.knabla.storage.ForeignAddress;
import io.knabla.storage.ForeignObjects;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.Stores;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * Copies the files that a function names in other buckets to the model store, once per ETag. It reads them with the
 * platform's own credentials: anyone who may deploy can read whatever these can.
 */
@Singleton
final class ForeignModels {
    /** The same limit as for a spec. */
    private static final int MOST_LOCATIONS = 4_096;

    /** Result of fetching the files. */
    sealed interface Brought {
        /** All files are in the model store; those just fetched are still on this machine. */
        record Here(Source.Uploaded source, List<Lent> lent) implements Brought, AutoCloseable {
            @Override
            public void close() {
                lent.forEach(Lent::close);
            }
        }

        record Refused(List<Fault> faults) implements Brought {}
    }

    private final ForeignObjects objects;
    private final ForeignCopies copies;

    @Inject
    ForeignModels(StoreAccess access, ObjectStore store, LocalModels models, Settings settings) {
        this(
                Stores.foreign(access.environment()),
                store,
                models,
                settings.upload().mebibytes() << 20);
    }

    /** @param most bytes of one object */
    ForeignModels(ForeignObjects objects, ObjectStore store, LocalModels models, long most) {
        this.objects = objects;
        this.copies = new ForeignCopies(objects, store, models, most);
    }

    @PreDestroy
    void close() {
        objects.close();
    }

    /**
     * @throws io.knabla.storage.StorageException if our store or disk fails, or a download breaks off
     */
    Brought bring(Source.Foreign source) {
        List<Lent> lent = new ArrayList<>();
        boolean done = false;
        try {
            Brought brought = new Errand(source, lent).run();
            done = brought instanceof Brought.Here;
            return brought;
        } finally {
            if (!done) {
                lent.forEach(Lent::close);
            }
        }
    }

    /** Collects the files and faults of one source. */
    private final class Errand {
        private final Source.Foreign source;
        private final List<Lent> lent;
        private final List<Fault> faults = new ArrayList<>();
        private final Map<String, Digest> external = new TreeMap<>();

        Errand(Source.Foreign source, List<Lent> lent) {
            this.source = source;
            this.lent = lent;
        }

        Brought run() {
            Optional<Digest> model = model();
            source.externalData()
                    .forEach((location, place) -> digest(ModelSource.externalPath(location), place)
                            .ifPresent(found -> external.put(location, found)));
            Optional<Digest> calibration =
                    source.calibration().flatMap(place -> digest(ModelSource.CALIBRATION, place));
            return faults.isEmpty()
                    ? new Brought.Here(new Source.Uploaded(model.orElseThrow(), external, calibration), lent)
                    : new Brought.Refused(faults);
        }

        private Optional<Digest> model() {
            return switch (source.model()) {
                case Place.Stored(var digest) -> Optional.of(digest);
                case Place.Elsewhere(var address) -> {
                    Optional<Seen> model = copy(ModelSource.MODEL, address, true, told -> told);
                    model.ifPresent(seen -> beside(address, seen.locations()));
                    yield model.map(Seen::digest);
                }
            };
        }

        /** Weights that the spec does not locate are expected beside the model. */
        private void beside(ForeignAddress model, List<String> locations) {
            locations.stream()
                    .filter(location -> !source.externalData().containsKey(location))
                    .filter(ExternalData::isConfined)
                    .limit(MOST_LOCATIONS)
                    .forEach(location -> model.beside(location)
                            .flatMap(address -> weights(location, address))
                            .ifPresent(found -> external.put(location, found)));
        }

        private Optional<Digest> weights(String location, ForeignAddress address) {
            return copy(
                            ModelSource.MODEL,
                            address,
                            false,
                            told ->
                                    "keeps weights in '%s': %s; copy them beside the model, or say under spec.externalData where they are"
                                            .formatted(location, told))
                    .map(Seen::digest);
        }

        private Optional<Digest> digest(String path, Place place) {
            return switch (place) {
                case Place.Stored(var digest) -> Optional.of(digest);
                case Place.Elsewhere(var address) ->
                    copy(path, address, false, told -> told).map(Seen::digest);
            };
        }

        private Optional<Seen> copy(String path, ForeignAddress address, boolean named, UnaryOperator<String> telling) {
            return switch (copies.of(address, named, lent)) {
                case Copy.Done(var seen) -> Optional.of(seen);
                case Copy.Refused(var sentence) -> {
                    faults.add(new Fault(path, telling.apply(sentence)));
                    yield Optional.empty();
                }
            };
        }
    }
}
