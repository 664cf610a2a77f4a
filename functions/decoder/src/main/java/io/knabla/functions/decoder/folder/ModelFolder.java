package io.knabla.functions.decoder.folder;

import io.knabla.functions.Fault;
import io.knabla.functions.decoder.config.ConfigJson;
import io.knabla.functions.decoder.config.DecoderConfig;
import io.knabla.functions.decoder.config.EncoderJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A decoder's folder: its sizes, its weights and its tokenizer.
 *
 * @param tokenizer the compiled table, which {@link io.knabla.functions.tokenizer.Tokenizer} opens
 */
public record ModelFolder(DecoderConfig config, WeightIndex weights, byte[] tokenizer) {
    private static final String CONFIG = "config.json";
    private static final int MAX_CONFIG_BYTES = 4 << 20;

    /** Result of opening a folder. */
    public sealed interface Opened {
        record Model(ModelFolder folder) implements Opened {}

        record Refused(List<Fault> faults) implements Opened {}
    }

    /**
     * Reads config.json and the headers of all weights, and compiles the tokenizer.
     *
     * @throws IOException if a file cannot be read; one that is missing is a fault
     */
    public static Opened open(Path folder) throws IOException {
        List<Fault> faults = new ArrayList<>();
        Map<String, StoredTensor> tensors = WeightFiles.find(folder, "", faults);
        Optional<byte[]> tokenizer = TokenizerFile.table(folder, faults);
        return switch (config(folder)) {
            case ConfigJson.Result.Refused(var wrong) -> {
                faults.addAll(0, wrong);
                yield new Opened.Refused(List.copyOf(faults));
            }
            case ConfigJson.Result.Read(var config) -> {
                tokenizer.ifPresent(table -> TokenizerFile.checkSize(table, config.vocabulary(), faults));
                yield faults.isEmpty()
                        ? new Opened.Model(new ModelFolder(config, new WeightIndex(tensors), tokenizer.orElseThrow()))
                        : new Opened.Refused(List.copyOf(faults));
            }
        };
    }

    /** Whether the folder has a config.json, as models of the hub have. */
    public static boolean isModel(Path folder) {
        return Files.isRegularFile(folder.resolve(CONFIG));
    }

    /** Whether its config.json is that of an encoder, not of a decoder. */
    public static boolean isEncoder(Path folder) throws IOException {
        return configBytes(folder, new ArrayList<>())
                .filter(EncoderJson::isEncoder)
                .isPresent();
    }

    /** What is wrong with its config.json, as the file of a decoder or of an encoder. */
    public static List<Fault> configFaults(Path folder, boolean encoder) throws IOException {
        List<Fault> faults = new ArrayList<>();
        if (encoder) {
            configBytes(folder, faults).ifPresent(json -> EncoderJson.read(json, faults));
        } else if (config(folder) instanceof ConfigJson.Result.Refused(var wrong)) {
            faults.addAll(wrong);
        }
        return faults;
    }

    /**
     * Names of files of weights, and of their index, that are read if they are there, as far as those that are there
     * tell them.
     */
    public static List<String> weightFiles(Path folder) throws IOException {
        return WeightFiles.names(folder, "");
    }

    private static ConfigJson.Result config(Path folder) throws IOException {
        List<Fault> faults = new ArrayList<>();
        return configBytes(folder, faults)
                .map(ConfigJson::read)
                .orElseGet(() -> new ConfigJson.Result.Refused(List.copyOf(faults)));
    }

    /** Bytes of config.json; empty, with a fault, if there are none or too many. */
    static Optional<byte[]> configBytes(Path folder, List<Fault> faults) throws IOException {
        Path file = folder.resolve(CONFIG);
        if (!Files.isRegularFile(file)) {
            faults.add(new Fault(CONFIG, "missing; give a folder as Hugging Face's hub has it"));
            return Optional.empty();
        }
        if (Files.size(file) > MAX_CONFIG_BYTES) {
            faults.add(new Fault(CONFIG, "has %d bytes, allowed are %d".formatted(Files.size(file), MAX_CONFIG_BYTES)));
            return Optional.empty();
        }
        return Optional.of(Files.readAllBytes(file));
    }
}
