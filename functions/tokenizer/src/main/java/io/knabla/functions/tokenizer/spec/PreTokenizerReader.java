package io.knabla.functions.tokenizer.spec;

import io.knabla.functions.tokenizer.tree.Fields;
import java.util.List;
import java.util.Optional;

/** Reads pre-tokenizers. */
final class PreTokenizerReader {
    private static final List<String> TYPES = List.of(
            "ByteLevel",
            "Split",
            "Whitespace",
            "WhitespaceSplit",
            "BertPreTokenizer",
            "Metaspace",
            "Digits",
            "Punctuation",
            "Sequence");

    private PreTokenizerReader() {}

    static PreTokenizer read(Fields owner, String key) {
        var nothing = new PreTokenizer.Sequence(List.of());
        return owner.has(key) ? one(owner.object(key)).orElse(nothing) : nothing;
    }

    private static Optional<PreTokenizer> one(Fields fields) {
        return Steps.read(fields, TYPES, type -> of(type, fields));
    }

    private static PreTokenizer of(String type, Fields fields) {
        return switch (type) {
            case "ByteLevel" -> byteLevel(fields);
            case "Split" ->
                new PreTokenizer.Split(
                        PatternReader.read(fields, "pattern"),
                        fields.oneOf("behavior", Behavior.class),
                        fields.flag("invert", false));
            case "Whitespace" -> new PreTokenizer.Words();
            case "WhitespaceSplit" -> new PreTokenizer.WhitespaceSplit();
            case "BertPreTokenizer" -> new PreTokenizer.Bert();
            case "Metaspace" ->
                new PreTokenizer.Metaspace(
                        fields.character("replacement"), prepend(fields), fields.flag("split", true));
            case "Digits" -> new PreTokenizer.Digits(fields.flag("individual_digits", false));
            case "Punctuation" ->
                new PreTokenizer.Punctuation(fields.oneOf("behavior", Behavior.class, Behavior.ISOLATED));
            default -> new PreTokenizer.Sequence(Steps.all(fields, "pretokenizers", PreTokenizerReader::one));
        };
    }

    private static PreTokenizer byteLevel(Fields fields) {
        fields.value("trim_offsets");
        return new PreTokenizer.ByteLevel(fields.flag("add_prefix_space", true), fields.flag("use_regex", true));
    }

    /** Older files say {@code add_prefix_space} for the scheme, and repeat the replacement as {@code str_rep}. */
    static PrependScheme prepend(Fields fields) {
        fields.value("str_rep");
        boolean space = fields.flag("add_prefix_space", true);
        return fields.oneOf("prepend_scheme", PrependScheme.class, space ? PrependScheme.ALWAYS : PrependScheme.NEVER);
    }
}
