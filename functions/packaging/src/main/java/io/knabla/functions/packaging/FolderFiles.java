package io.knabla.functions.packaging;

import io.knabla.functions.decoder.folder.ModelFolder;
import io.knabla.functions.decoder.folder.SentenceFiles;
import io.knabla.functions.packaging.generation.GenerationPlan;
import io.knabla.functions.spec.FunctionSpec.FunctionType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Files of a model's folder that packaging reads; only these are sent. */
public final class FolderFiles {
    /** The file that stands for the folder where one file must. */
    public static final String CONFIG = "config.json";

    private FolderFiles() {}

    /** Names of those that are there, besides {@value #CONFIG}. */
    public static List<String> others(Path folder, FunctionType type) throws IOException {
        List<String> names = new ArrayList<>();
        for (String name : known(folder, type)) {
            if (Files.isRegularFile(folder.resolve(name))) {
                names.add(name);
            }
        }
        names.addAll(ModelFolder.weightFiles(folder));
        return names;
    }

    private static List<String> known(Path folder, FunctionType type) {
        List<String> names = new ArrayList<>(List.of("tokenizer.json"));
        names.addAll(type == FunctionType.Encoder ? SentenceFiles.names(folder) : GenerationPlan.FILES);
        return names;
    }
}
