package io.knabla.functions.tokenizer.spec;

import io.knabla.functions.tokenizer.tree.Fields;
import java.util.List;
import java.util.Optional;

/** Reads decoders. */
final class DecoderReader {
    private static final List<String> TYPES =
            List.of("ByteLevel", "ByteFallback", "Metaspace", "WordPiece", "Replace", "Fuse", "Strip", "Sequence");
    private static final int MOST_STRIPPED = 1 << 16;

    private DecoderReader() {}

    static Decoder read(Fields owner, String key) {
        var spaces = new Decoder.Spaces();
        return owner.has(key) ? one(owner.object(key)).orElse(spaces) : spaces;
    }

    private static Optional<Decoder> one(Fields fields) {
        return Steps.read(fields, TYPES, type -> of(type, fields));
    }

    private static Decoder of(String type, Fields fields) {
        return switch (type) {
            case "ByteLevel" -> byteLevel(fields);
            case "ByteFallback" -> new Decoder.ByteFallback();
            case "Metaspace" -> metaspace(fields);
            case "WordPiece" -> new Decoder.WordPiece(fields.text("prefix", "##"), fields.flag("cleanup", true));
            case "Replace" -> new Decoder.Replace(PatternReader.read(fields, "pattern"), fields.text("content"));
            case "Fuse" -> new Decoder.Fuse();
            case "Strip" ->
                new Decoder.Strip(
                        fields.character("content"),
                        fields.count("start", MOST_STRIPPED),
                        fields.count("stop", MOST_STRIPPED));
            default -> new Decoder.Sequence(Steps.all(fields, "decoders", DecoderReader::one));
        };
    }

    private static Decoder byteLevel(Fields fields) {
        List.of("add_prefix_space", "trim_offsets", "use_regex").forEach(fields::value);
        return new Decoder.ByteLevel();
    }

    private static Decoder metaspace(Fields fields) {
        fields.value("split");
        return new Decoder.Metaspace(fields.character("replacement"), PreTokenizerReader.prepend(fields));
    }
}
