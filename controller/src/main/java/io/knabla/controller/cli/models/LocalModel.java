package io.knabla.controller.cli.models;

import io.knabla.controller.cli.CliFailure;
import io.knabla.functions.packaging.ModelFiles;
import io.knabla.functions.packaging.Packager;
import io.knabla.functions.unit.Digest;
import io.knabla.functions.unit.Sha256;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A model file here and the files of weights that it names, each known by its content.
 *
 * @param externalData digests by the model's own name ({@code location}) for the file
 * @param files where each digest's bytes are
 * @param calibration of the requests to quantise by, one of the files
 */
public record LocalModel(
        Digest digest, Map<String, String> externalData, Map<Digest, Path> files, Optional<Digest> calibration) {

    /** The same with a file of requests to quantise by. */
    LocalModel withCalibration(Path file) {
        if (!Files.isRegularFile(file)) {
            throw CliFailure.failed(
                    "there is no calibration file %s. Correct spec.quantize.calibration; it counts"
                            + " from the folder of function.yaml.",
                    file.toAbsolutePath().normalize());
        }
        try {
            Digest requests = digest(file);
            var all = new HashMap<>(files);
            all.put(requests, file);
            return new LocalModel(digest, externalData, all, Optional.of(requests));
        } catch (IOException unreadable) {
            throw CliFailure.because(unreadable, "cannot read %s: %s", file, unreadable.getMessage());
        }
    }

    /** Reads every byte once, to name it; what is missing is told all at once. */
    public static LocalModel read(Path model) {
        if (!Files.isRegularFile(model)) {
            throw CliFailure.failed(
                    "there is no model file %s. Correct the path; it counts from the folder of"
                            + " function.yaml, or with --model from here.",
                    model.toAbsolutePath().normalize());
        }
        try {
            return read(model, ModelFiles.beside(model));
        } catch (IOException unreadable) {
            throw CliFailure.because(unreadable, "cannot read %s: %s", model, unreadable.getMessage());
        }
    }

    private static LocalModel read(Path model, ModelFiles beside) throws IOException {
        var files = new TreeMap<Digest, Path>((a, b) -> a.value().compareTo(b.value()));
        var externalData = new TreeMap<String, String>();
        List<String> missing = new ArrayList<>();
        // A file that is no ONNX model names nothing; the platform says so better than we could.
        for (String location : Packager.externalLocations(model).orElse(List.of())) {
            Optional<Path> file = beside.externalData().apply(location);
            if (file.isEmpty()) {
                missing.add(location);
                continue;
            }
            Digest digest = digest(file.get());
            files.put(digest, file.get());
            externalData.put(location, digest.value());
        }
        if (!missing.isEmpty()) {
            throw CliFailure.all(
                    "the model %s keeps weights in files that are not beside it. Copy them there:".formatted(model),
                    missing);
        }
        Digest digest = digest(model);
        files.put(digest, model);
        return new LocalModel(digest, externalData, files, Optional.empty());
    }

    private static Digest digest(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return Sha256.of(in);
        }
    }
}
