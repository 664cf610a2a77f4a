package io.knabla.controller.deploy;

import io.knabla.controller.Settings;
import io.knabla.controller.doors.Addresses;
import io.knabla.functions.spec.Fault;
import io.knabla.functions.spec.FunctionSpec;
import io.knabla.functions.unit.Digest;
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

/** Finds the bytes that {@code spec.model} means, before anything heavy starts. */
@Singleton
final class ModelSource {
    private static final String DIGEST = "sha256:";
    private static final String FILE = "file:";

    /** Where a model is, if it is. */
    sealed interface Source {
        /** Something to go on with. */
        sealed interface Ready extends Source {}

        /**
         * @param externalData by location in the model
         */
        record Uploaded(Digest model, Map<String, Digest> externalData) implements Ready {}

        record LocalFile(Path model) implements Ready {}

        record ExistingUnit(Digest unit) implements Ready {}

        record Missing(List<Digest> digests) implements Source {}

        record Refused(List<Fault> faults) implements Source {}
    }

    private final ObjectStore store;
    private final boolean filesAllowed;

    @Inject
    ModelSource(ObjectStore store, Settings settings) {
        this(store, Addresses.isLoopback(settings.host()));
    }

    ModelSource(ObjectStore store, boolean filesAllowed) {
        this.store = store;
        this.filesAllowed = filesAllowed;
    }

    Source find(FunctionSpec spec) {
        String model = spec.model();
        if (model.startsWith(DIGEST)) {
            return uploaded(spec);
        }
        if (model.startsWith(FILE)) {
            return file(model);
        }
        if (model.contains("://")) {
            return refused(
                    "not supported yet: '%s'; upload the file and write its sha256:… here, or deploy it with './knabla deploy'"
                            .formatted(model));
        }
        return refused(
                "'%s' is a path, and the API is sent no files; deploy with './knabla deploy -f function.yaml', which uploads it, or upload it with PUT /api/v1/models/{digest} and write sha256:… here"
                        .formatted(model));
    }

    private Source uploaded(FunctionSpec spec) {
        List<Fault> faults = new ArrayList<>();
        Digest model = digest("spec.model", spec.model(), faults);
        Map<String, Digest> external = new TreeMap<>();
        spec.externalData()
                .forEach(
                        (location, text) ->
                                external.put(
                                        location,
                                        digest("spec.externalData." + location, text, faults)));
        Optional<Digest> calibration =
                spec.quantize()
                        .calibration()
                        .map(text -> digest("spec.quantize.calibration", text, faults));
        if (!faults.isEmpty()) {
            return new Source.Refused(faults);
        }
        boolean stored = has(ModelKeys.model(model));
        if (!stored && has(ModelKeys.unit(model))) {
            return new Source.ExistingUnit(model);
        }
        List<Digest> missing = new ArrayList<>();
        if (!stored) {
            missing.add(model);
        }
        Stream.concat(external.values().stream(), calibration.stream())
                .distinct()
                .filter(digest -> !has(ModelKeys.model(digest)))
                .forEach(missing::add);
        return missing.isEmpty()
                ? new Source.Uploaded(model, external)
                : new Source.Missing(missing);
    }

    /** The answer is used only where no fault was added. */
    private static Digest digest(String path, String text, List<Fault> faults) {
        try {
            return new Digest(text);
        } catch (IllegalArgumentException malformed) {
            faults.add(new Fault(path, malformed.getMessage()));
            return new Digest(DIGEST + "0".repeat(64));
        }
    }

    private Source file(String location) {
        if (!filesAllowed) {
            return refused(
                    "'%s' is a file of the server, which is served only while it listens on a loopback address; deploy with './knabla deploy', which uploads the file"
                            .formatted(location));
        }
        try {
            Path path = Path.of(URI.create(location));
            return Files.isRegularFile(path)
                    ? new Source.LocalFile(path)
                    : refused("there is no file '%s' on this machine".formatted(path));
        } catch (IllegalArgumentException | FileSystemNotFoundException malformed) {
            return refused(
                    "'%s' is not a file's address; write file:/// and an absolute path"
                            .formatted(location));
        }
    }

    private boolean has(ObjectKey key) {
        return store.stat(key).isPresent();
    }

    private static Source refused(String why) {
        return new Source.Refused(List.of(new Fault("spec.model", why)));
    }
}
