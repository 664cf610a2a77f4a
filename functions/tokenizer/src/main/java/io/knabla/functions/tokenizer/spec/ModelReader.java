package io.knabla.functions.tokenizer.spec;

import io.knabla.functions.tokenizer.spec.Model.Bpe;
import io.knabla.functions.tokenizer.spec.Model.Unigram;
import io.knabla.functions.tokenizer.spec.Model.WordPiece;
import io.knabla.functions.tokenizer.tree.Faults;
import io.knabla.functions.tokenizer.tree.Fields;
import java.util.List;

/** Reads the options of a model. */
final class ModelReader {
    private static final List<String> TYPES = List.of("BPE", "WordPiece", "Unigram");
    private static final int LONGEST_WORD = 1 << 16;

    private ModelReader() {}

    static Model read(Fields fields, Vocabulary vocabulary) {
        fields.value("vocab");
        return Steps.read(fields, TYPES, type -> of(type, fields, vocabulary)).orElse(new Unigram(-1, false));
    }

    private static Model of(String type, Fields fields, Vocabulary vocabulary) {
        return switch (type) {
            case "BPE" -> bpe(fields, vocabulary);
            case "WordPiece" ->
                new WordPiece(
                        unknown(fields, vocabulary),
                        fields.text("continuing_subword_prefix", "##"),
                        fields.has("max_input_chars_per_word")
                                ? fields.count("max_input_chars_per_word", LONGEST_WORD)
                                : 100);
            default -> new Unigram(fields.count("unk_id", SpecReader.MAX_ID - 1), fields.flag("byte_fallback", false));
        };
    }

    private static Model bpe(Fields fields, Vocabulary vocabulary) {
        fields.value("merges");
        if (fields.has("dropout") && fields.number("dropout") != 0) {
            fields.fault("dropout", "not supported: it makes tokens depend on chance; set it to null");
        }
        return new Bpe(
                fields.has("unk_token") ? unknown(fields, vocabulary) : -1,
                fields.flag("fuse_unk", false),
                fields.flag("byte_fallback", false),
                fields.flag("ignore_merges", false),
                fields.text("continuing_subword_prefix", ""),
                fields.text("end_of_word_suffix", ""));
    }

    private static int unknown(Fields fields, Vocabulary vocabulary) {
        String token = fields.text("unk_token");
        int id = vocabulary.id(token);
        if (id < 0) {
            fields.fault("unk_token", "%s is not in the vocabulary; name a token of it", Faults.quote(token));
        }
        return id;
    }
}
