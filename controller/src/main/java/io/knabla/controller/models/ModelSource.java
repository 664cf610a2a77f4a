package io.knabla.controller.models;

import io.knabla.controller.auth.Addresses;
import io.knabla.controller.config.Settings;
import io.knabla.functions.Fault;
import io.knabla.functions.packaging.FolderFiles;
import io.knabla.functions.spec.FunctionSpec;
import io.knabla.functions.spec.FunctionSpec.FunctionType;
import io.knabla.functions.unit.Digest;
import io.knabla.storage.ExternalAddress;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.ObjectStore;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.net.URI;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Locates the files that {@code spec.model} names, before any expensive work. */
@Singleton
public final class ModelSource {
    private static final String DIGEST = "sha256:";
    private static final String FILE = "file:";

    /** Where the files of a model are, or why they are not available. */
    public sealed interface Source {
        /** All files are available. */
        sealed interface Ready extends Source {}

        /** @param externalData digests by location in the model */
        record Uploaded(Digest model, Map<String, Digest> externalData, Optional<Digest> calibration) implements Ready {
            /** Digests of the other files, by their path in the spec. */
            public Map<String, String> files() {
                Map<String, String> files = new TreeMap<>();
                externalData.forEach((location, digest) -> files.put(externalPath(location), digest.value()));
                calibration.ifPresent(digest -> files.put(CALIBRATION, digest.value()));
                return files;
            }
        }

        /** @param model of a language model its config.json, which stands for its folder */
        record LocalFile(Path model) implements Ready {}

        record ExistingUnit(Digest unit) implements Ready {}

        /**
         * At least one file is in another bucket and must be copied first.
         *
         * @param folder type of a function whose model is the config.json of a folder
         */
        record External(
                Place model,
                Map<String, Place> externalData,
                Optional<Place> calibration,
                Optional<FunctionType> folder)
                implements Source {}

        record Missing(List<Digest> digests) implements Source {}

        record Refused(List<Fault> faults) implements Source {}
    }

    /** Location of one file. */
    sealed interface Place {
        record Stored(Digest digest) implements Place {}

        record External(ExternalAddress address) implements Place {}
    }

    static final String MODEL = "spec.model";
    public static final String CALIBRATION = "spec.quantize.calibration";

    private final ObjectStore store;
    private final boolean filesAllowed;

    @Inject
    ModelSource(ObjectStore store, Settings settings) {
        this(store, Addresses.isLoopback(settings.host()));
    }

    public ModelSource(ObjectStore store, boolean filesAllowed) {
        this.store = store;
        this.filesAllowed = filesAllowed;
    }

    static String externalPath(String location) {
        return "spec.externalData." + location;
    }

    public Source find(FunctionSpec spec) {
        String model = spec.model();
        if (model.startsWith(DIGEST) || ExternalAddress.isExternal(model)) {
            return placed(spec);
        }
        if (model.startsWith(FILE)) {
            return file(spec);
        }
        if (model.contains("://")) {
            return refused(
                    "not supported yet: '%s'; upload the file and write its sha256:… here, or deploy it with './knabla deploy'"
                            .formatted(model));
        }
        return refused(
                "'%s' is a local path, which the API cannot read; deploy with './knabla deploy -f function.yaml', which uploads it, or upload it with PUT /api/v1/models/{digest} and write sha256:… here"
                        .formatted(model));
    }

    private Source placed(FunctionSpec spec) {
        List<Fault> faults = new ArrayList<>();
        Optional<Place> model = place(MODEL, modelFile(spec), faults);
        Map<String, Place> external = new TreeMap<>();
        spec.externalData()
                .forEach((location, text) ->
                        place(externalPath(location), text, faults).ifPresent(place -> external.put(location, place)));
        Optional<Place> calibration = spec.quantize()
                .calibration()
                .map(text -> besideModel(model, text))
                .flatMap(text -> place(CALIBRATION, text, faults));
        return faults.isEmpty()
                ? found(model.orElseThrow(), external, calibration, folder(spec))
                : new Source.Refused(faults);
    }

    /** Of a folder its config.json. */
    private static String modelFile(FunctionSpec spec) {
        String model = spec.model();
        return spec.takesText() && model.endsWith("/") ? model + FolderFiles.CONFIG : model;
    }

    private static Optional<FunctionType> folder(FunctionSpec spec) {
        return Optional.of(spec.type()).filter(_ -> spec.takesText());
    }

    /** Resolves a relative path against the address of a model in another bucket. */
    private static String besideModel(Optional<Place> model, String text) {
        boolean path = !text.startsWith(DIGEST) && !text.contains("://");
        return path && model.isPresent() && model.get() instanceof Place.External(var address)
                ? address.sibling(text).map(ExternalAddress::toString).orElse(text)
                : text;
    }

    private Source found(
            Place model, Map<String, Place> external, Optional<Place> calibration, Optional<FunctionType> folder) {
        List<Place> all = Stream.of(Stream.of(model), external.values().stream(), calibration.stream())
                .flatMap(places -> places)
                .distinct()
                .toList();
        List<Digest> stored =
                all.stream().flatMap(place -> stored(place).stream()).toList();
        List<Digest> missing =
                stored.stream().filter(digest -> !has(ModelKeys.model(digest))).toList();
        Optional<Digest> unit = stored(model).filter(missing::contains).filter(it -> has(ModelKeys.unit(it)));
        if (unit.isPresent()) {
            return new Source.ExistingUnit(unit.get());
        }
        if (!missing.isEmpty()) {
            return new Source.Missing(missing);
        }
        if (stored.size() < all.size()) {
            return new Source.External(model, external, calibration, folder);
        }
        Map<String, Digest> digests = new TreeMap<>();
        external.forEach(
                (location, place) -> digests.put(location, stored(place).orElseThrow()));
        return new Source.Uploaded(stored(model).orElseThrow(), digests, calibration.flatMap(ModelSource::stored));
    }

    private static Optional<Digest> stored(Place place) {
        return switch (place) {
            case Place.Stored(var digest) -> Optional.of(digest);
            case Place.External _ -> Optional.empty();
        };
    }

    /** Returns empty when it added a fault. */
    private static Optional<Place> place(String path, String text, List<Fault> faults) {
        if (ExternalAddress.isExternal(text)) {
            Optional<Place> address = ExternalAddress.parse(text).map(Place.External::new);
            if (address.isEmpty()) {
                faults.add(new Fault(
                        path,
                        "'%s' is no object's address; write s3://bucket/key, the bucket with 3 to 63 of a-z 0-9 . -, the key without a part that is . or .. and not ending in /"
                                .formatted(text)));
            }
            return address;
        }
        try {
            return Optional.of(new Place.Stored(new Digest(text)));
        } catch (IllegalArgumentException malformed) {
            faults.add(new Fault(path, malformed.getMessage()));
            return Optional.empty();
        }
    }

    private Source file(FunctionSpec spec) {
        String location = spec.model();
        if (!filesAllowed) {
            return refused(
                    "'%s' is a file on the server, which reads its own files only while it listens on a loopback address; deploy with './knabla deploy', which uploads the file"
                            .formatted(location));
        }
        try {
            Path path = Path.of(URI.create(location));
            if (spec.takesText() && Files.isDirectory(path)) {
                return new Source.LocalFile(path.resolve(FolderFiles.CONFIG));
            }
            return Files.isRegularFile(path)
                    ? new Source.LocalFile(path)
                    : refused("there is no file '%s' on this machine".formatted(path));
        } catch (IllegalArgumentException | FileSystemNotFoundException malformed) {
            return refused("'%s' is not a file's address; write file:/// and an absolute path".formatted(location));
        }
    }

    private boolean has(ObjectKey key) {
        return store.stat(key).isPresent();
    }

    private static Source refused(String why) {
        return new Source.Refused(List.of(new Fault(MODEL, why)));
    }
}
