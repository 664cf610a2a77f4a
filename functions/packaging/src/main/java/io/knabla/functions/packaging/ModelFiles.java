package io.knabla.functions.packaging;

import io.knabla.functions.compiler.onnx.ExternalData;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;

/**
 * A model file and the resolver of its external data files.
 *
 * @param externalData maps a {@code location} in the model to a file; called only for relative locations inside the
 *     model's folder
 */
public record ModelFiles(Path model, Function<String, Optional<Path>> externalData) {
    /** For a model in memory, which has no files. */
    static final ModelFiles NONE = new ModelFiles(Path.of(""), _ -> Optional.empty());

    /** A model with its external data in the same folder; symbolic links out of the folder are not followed. */
    public static ModelFiles beside(Path model) {
        return new ModelFiles(model, location -> beside(model, location));
    }

    private static Optional<Path> beside(Path model, String location) {
        if (!ExternalData.isConfined(location)) {
            return Optional.empty();
        }
        try {
            Path folder = model.toAbsolutePath().getParent().toRealPath();
            Path file = folder.resolve(location).toRealPath();
            return file.startsWith(folder) && Files.isRegularFile(file) ? Optional.of(file) : Optional.empty();
        } catch (IOException | InvalidPathException absent) {
            return Optional.empty();
        }
    }
}
