package io.knabla.controller.cli.models;

import io.knabla.controller.cli.CliFailure;
import io.knabla.functions.compiler.onnx.ExternalData;
import io.knabla.functions.decoder.folder.ModelFolder;
import io.knabla.functions.packaging.FolderFiles;
import io.knabla.functions.packaging.ModelFiles;
import io.knabla.functions.packaging.Packager;
import io.knabla.functions.spec.FunctionSpec.FunctionType;
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
 * A local model file and its external weight files, each with its digest.
 *
 * @param externalData digests by {@code location}, the model's name for the file
 * @param files local file of each digest
 * @param calibration digest of the calibration data for quantisation, one of the files
 */
public record LocalModel(
        Digest digest, Map<String, String> externalData, Map<Digest, Path> files, Optional<Digest> calibration) {

    /** A copy with a file of calibration data for quantisation. */
    LocalModel withCalibration(Path file) {
        if (!Files.isRegularFile(file)) {
            throw CliFailure.failed(
                    "there is no calibration file %s. Correct spec.quantize.calibration; it is relative to the"
                            + " folder of function.yaml.",
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

    /** Reads the files of a model's folder that packaging needs; its config.json stands for the folder. */
    static LocalModel readFolder(Path folder, FunctionType type) {
        try {
            if (!ModelFolder.isModel(folder)) {
                throw CliFailure.failed(
                        "%s is no folder with a config.json. Name a folder as Hugging Face's hub has it; it is relative to the folder of function.yaml.",
                        folder.toAbsolutePath().normalize());
            }
            Map<Digest, Path> files = new HashMap<>();
            var others = new TreeMap<String, String>();
            for (String name : FolderFiles.others(folder, type)) {
                Digest digest = digest(folder.resolve(name));
                files.put(digest, folder.resolve(name));
                others.put(name, digest.value());
            }
            Path config = folder.resolve(FolderFiles.CONFIG);
            Digest digest = digest(config);
            files.put(digest, config);
            return new LocalModel(digest, others, files, Optional.empty());
        } catch (IOException unreadable) {
            throw CliFailure.because(unreadable, "cannot read %s: %s", folder, unreadable.getMessage());
        }
    }

    /**
     * A copy with the files of the folder of a model that drafts, which was checked.
     *
     * @param base folder that the path is relative to
     */
    LocalModel withDraft(Path base, String path) {
        Path folder = base.resolve(path);
        try {
            var all = new HashMap<>(files);
            var others = new TreeMap<>(externalData);
            for (String name : FolderFiles.ofDraft(folder)) {
                Digest found = digest(folder.resolve(name));
                all.put(found, folder.resolve(name));
                others.put(FolderFiles.draftLocation(path, name), found.value());
            }
            return new LocalModel(digest, others, all, calibration);
        } catch (IOException unreadable) {
            throw CliFailure.because(unreadable, "cannot read %s: %s", folder, unreadable.getMessage());
        }
    }

    /** Reads the model and its weight files once and computes their digests; reports all missing files together. */
    public static LocalModel read(Path model) {
        if (!Files.isRegularFile(model)) {
            String trouble = Files.isDirectory(model)
                    ? "%s is a folder. Name the model file in it"
                    : Files.exists(model)
                            ? "%s is no regular file. Name a model file"
                            : "there is no model file %s. Correct the path";
            throw CliFailure.failed(
                    trouble + "; it is relative to the folder of function.yaml, or with --model to the current folder.",
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
        // A file that is not an ONNX model names no locations; the platform reports it.
        for (String location : Packager.externalLocations(model).orElse(List.of())) {
            Optional<Path> file = beside.externalData().apply(location);
            if (file.isEmpty()) {
                missing.add(trouble(model, location));
                continue;
            }
            Digest digest = digest(file.get());
            files.put(digest, file.get());
            externalData.put(location, digest.value());
        }
        if (!missing.isEmpty()) {
            throw CliFailure.withFaults(
                    "the model %s keeps weights in files that are not beside it. Copy them there:".formatted(model),
                    missing);
        }
        Digest digest = digest(model);
        files.put(digest, model);
        return new LocalModel(digest, externalData, files, Optional.empty());
    }

    private static String trouble(Path model, String location) {
        return ExternalData.isConfined(location) && Files.isSymbolicLink(model.resolveSibling(location))
                ? "%s (a symbolic link that leads nowhere or out of the model's folder; such links are followed to files beside the one that the model links to, and in Hugging Face's cache to its blobs)"
                        .formatted(location)
                : location;
    }

    private static Digest digest(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return Sha256.of(in);
        }
    }
}
