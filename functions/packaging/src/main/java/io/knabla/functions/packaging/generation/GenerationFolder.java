package io.knabla.functions.packaging.generation;

import io.knabla.functions.decoder.folder.ModelFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Files of a language model's folder that packaging reads; only these are sent. */
public final class GenerationFolder {
    /** The file that stands for the folder where one file must. */
    public static final String CONFIG = "config.json";

    private static final List<String> OTHERS =
            List.of("tokenizer.json", SamplingFile.FILE, ChatFile.TOKENIZER, ChatFile.TEMPLATE);

    private GenerationFolder() {}

    /** Names of those that are there, besides {@value #CONFIG}. */
    public static List<String> others(Path folder) throws IOException {
        List<String> names = new ArrayList<>();
        for (String name : OTHERS) {
            if (Files.isRegularFile(folder.resolve(name))) {
                names.add(name);
            }
        }
        names.addAll(ModelFolder.weightFiles(folder));
        return names;
    }
}
