package io.knabla.functions.decoder.folder;

import io.knabla.functions.Fault;
import io.knabla.functions.tokenizer.Tokenizer;
import io.knabla.functions.tokenizer.compile.Compiled;
import io.knabla.functions.tokenizer.compile.TokenizerCompiler;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Compiles a folder's tokenizer.json. */
final class TokenizerFile {
    private static final String FILE = "tokenizer.json";

    private TokenizerFile() {}

    /** The compiled table; empty, with all that is wrong told in {@code faults}, if there is none. */
    static Optional<byte[]> table(Path folder, List<Fault> faults) throws IOException {
        Path file = folder.resolve(FILE);
        if (!Files.isRegularFile(file)) {
            faults.add(new Fault(FILE, missing(folder)));
            return Optional.empty();
        }
        return switch (compile(file)) {
            case Compiled.Valid(var table) -> Optional.of(table);
            case Compiled.Invalid(var wrong) -> {
                wrong.forEach(fault -> faults.add(new Fault(FILE, fault.toString())));
                yield Optional.empty();
            }
        };
    }

    /** A token that the model cannot take would end a call in the engine. */
    static void checkSize(byte[] table, int vocabulary, List<Fault> faults) {
        int tokens = Tokenizer.of(ByteBuffer.wrap(table)).size();
        if (tokens > vocabulary) {
            faults.add(new Fault(
                    FILE,
                    "has ids up to %d, but the model takes %d tokens (vocab_size of config.json); give the tokenizer of this model"
                            .formatted(tokens - 1, vocabulary)));
        }
    }

    /** Reads no more than the compiler takes. */
    private static Compiled compile(Path file) throws IOException {
        try (var in = Files.newInputStream(file)) {
            return TokenizerCompiler.compile(in.readNBytes(TokenizerCompiler.MAX_BYTES + 1));
        }
    }

    private static String missing(Path folder) {
        return Files.isRegularFile(folder.resolve("tokenizer.model"))
                ? "missing; tokenizer.model cannot be read; in Python, AutoTokenizer.from_pretrained(FOLDER).save_pretrained(FOLDER) writes it"
                : "missing; Hugging Face's tokenizers write it";
    }
}
