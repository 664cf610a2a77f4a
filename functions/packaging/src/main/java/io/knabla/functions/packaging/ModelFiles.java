package io.knabla.functions.packaging;

import io.knabla.functions.compiler.onnx.ExternalData;
import io.knabla.functions.spec.ModelInterface;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * A model file and what belongs to it: its external data files, and shapes in place of those that it declares.
 *
 * @param externalData maps a {@code location} in the model to a file; called only for relative locations inside the
 *     model's folder
 * @param shapes of inputs and outputs by name, in place of the model's; -1 for a variable size
 * @param optionalInputs initializers that callers may override
 */
public record ModelFiles(
        Path model,
        Function<String, Optional<Path>> externalData,
        Map<String, List<Integer>> shapes,
        List<String> optionalInputs) {
    /** A model as it is. */
    public ModelFiles(Path model, Function<String, Optional<Path>> externalData) {
        this(model, externalData, Map.of(), List.of());
    }

    /** For a model in memory, which has no files. */
    static final ModelFiles NONE = new ModelFiles(Path.of(""), _ -> Optional.empty());

    /**
     * A model with its external data in the same folder. Symbolic links out of the folder are followed to files beside
     * the model's own file, if the model is a link as well, and as Hugging Face's cache has them: from
     * {@code snapshots/REVISION} to {@code blobs} beside {@code snapshots}. Elsewhere a link could make a file public
     * that its owner never meant to give away.
     */
    public static ModelFiles beside(Path model) {
        return new ModelFiles(model, location -> beside(model, location));
    }

    /** The same with these shapes of inputs and outputs. */
    public ModelFiles with(Map<String, List<Integer>> declared) {
        return new ModelFiles(model, externalData, declared, optionalInputs);
    }

    /** The same with what function.yaml says of the model's inputs and outputs. */
    public ModelFiles with(ModelInterface view) {
        return new ModelFiles(model, externalData, view.shapes(), view.optionalInputs());
    }

    private static Optional<Path> beside(Path model, String location) {
        if (!ExternalData.isConfined(location)) {
            return Optional.empty();
        }
        try {
            Path folder = model.toAbsolutePath().getParent().toRealPath();
            Path file = folder.resolve(location).toRealPath();
            boolean given = file.startsWith(folder)
                    || file.startsWith(model.toRealPath().getParent())
                    || cachedBlobs(folder).filter(file::startsWith).isPresent();
            return given && Files.isRegularFile(file) ? Optional.of(file) : Optional.empty();
        } catch (IOException | InvalidPathException absent) {
            return Optional.empty();
        }
    }

    /**
     * The folder of all files of a model in Hugging Face's cache, of which a snapshot has links. Not itself resolved: a
     * link in its place would lead anywhere.
     */
    private static Optional<Path> cachedBlobs(Path folder) {
        for (Path part = folder; part.getParent() != null; part = part.getParent()) {
            if (part.endsWith("snapshots")) {
                return Optional.of(part.resolveSibling("blobs"));
            }
        }
        return Optional.empty();
    }
}
