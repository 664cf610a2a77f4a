package io.knabla.functions.packaging;

import io.knabla.functions.Fault;
import io.knabla.functions.decoder.folder.ModelFolder;
import io.knabla.functions.decoder.folder.SentenceFiles;
import io.knabla.functions.packaging.generation.GenerationPlan;
import io.knabla.functions.spec.FunctionSpec.FunctionType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/** Files of a model's folder that packaging reads; only these are sent. */
public final class FolderFiles {
    /** The file that stands for the folder where one file must. */
    public static final String CONFIG = "config.json";

    private static final String TOKENIZER = "tokenizer.json";

    private FolderFiles() {}

    /** What is wrong with {@value #CONFIG}, which tells whether the model can be packaged at all. */
    public static List<Fault> configFaults(Path folder, FunctionType type) throws IOException {
        return ModelFolder.configFaults(folder, type == FunctionType.Encoder);
    }

    /** Names of those that are there, besides {@value #CONFIG}. */
    public static List<String> others(Path folder, FunctionType type) throws IOException {
        return read(folder, type).stream()
                .filter(name -> Files.isRegularFile(folder.resolve(name)))
                .toList();
    }

    /** Names of those of a model that drafts for another, as far as they are there. */
    public static List<String> ofDraft(Path folder) throws IOException {
        List<String> names = new ArrayList<>(List.of(CONFIG, TOKENIZER));
        names.addAll(ModelFolder.weightFiles(folder));
        return names.stream()
                .filter(name -> Files.isRegularFile(folder.resolve(name)))
                .toList();
    }

    /**
     * Location of a file of a model that drafts, seen from the folder of the main model.
     *
     * @param path as function.yaml names the folder
     */
    public static String draftLocation(String path, String name) {
        return StreamSupport.stream(Path.of(path).normalize().spliterator(), false)
                .map(part -> part + "/")
                .collect(Collectors.joining("", "", name));
    }

    /**
     * Names of all that packaging reads if they are there, as far as the files in the folder tell them: an index of
     * weights, for instance, names others. None leads out of the folder.
     */
    public static List<String> read(Path folder, FunctionType type) throws IOException {
        List<String> names = new ArrayList<>(List.of(TOKENIZER));
        names.addAll(type == FunctionType.Encoder ? SentenceFiles.names(folder) : GenerationPlan.FILES);
        names.addAll(ModelFolder.weightFiles(folder));
        return names;
    }
}
