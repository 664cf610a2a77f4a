package io.knabla.functions.tokenizer.spec;

import io.knabla.functions.tokenizer.tree.Fields;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.text.Normalizer.Form;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/** Reads normalizers. */
final class NormalizerReader {
    private static final List<String> TYPES = List.of(
            "NFC",
            "NFD",
            "NFKC",
            "NFKD",
            "Lowercase",
            "StripAccents",
            "Strip",
            "Replace",
            "Prepend",
            "BertNormalizer",
            "Precompiled",
            "Sequence");

    private NormalizerReader() {}

    static Normalizer read(Fields owner, String key) {
        var nothing = new Normalizer.Sequence(List.of());
        return owner.has(key) ? one(owner.object(key)).orElse(nothing) : nothing;
    }

    private static Optional<Normalizer> one(Fields fields) {
        return Steps.read(fields, TYPES, type -> of(type, fields));
    }

    private static Normalizer of(String type, Fields fields) {
        return switch (type) {
            case "Lowercase" -> new Normalizer.Lowercase();
            case "StripAccents" -> new Normalizer.StripAccents();
            case "Strip" -> new Normalizer.Strip(fields.flag("strip_left", true), fields.flag("strip_right", true));
            case "Replace" -> new Normalizer.Replace(PatternReader.read(fields, "pattern"), fields.text("content"));
            case "Prepend" -> new Normalizer.Prepend(fields.text("prepend"));
            case "BertNormalizer" -> bert(fields);
            case "Precompiled" -> precompiled(fields);
            case "Sequence" -> new Normalizer.Sequence(Steps.all(fields, "normalizers", NormalizerReader::one));
            default -> new Normalizer.Unicode(Form.valueOf(type));
        };
    }

    private static Normalizer bert(Fields fields) {
        boolean lowercase = fields.flag("lowercase", true);
        return new Normalizer.Bert(
                fields.flag("clean_text", true),
                fields.flag("handle_chinese_chars", true),
                fields.flag("strip_accents", lowercase),
                lowercase);
    }

    /** Format: four bytes with the length of the trie, the trie, the replacements. */
    private static Normalizer precompiled(Fields fields) {
        ByteBuffer map = base64(fields);
        if (!map.hasRemaining()) {
            return new Normalizer.Sequence(List.of());
        }
        int trie = map.remaining() < Integer.BYTES ? -1 : map.getInt();
        boolean ends = map.hasRemaining() && map.get(map.limit() - 1) == 0;
        if (trie < 0 || trie > map.remaining() || trie % Integer.BYTES != 0 || !ends) {
            fields.fault("precompiled_charsmap", "damaged: its trie does not fit, or its last text has no end");
            return new Normalizer.Sequence(List.of());
        }
        ByteBuffer units = map.slice(map.position(), trie).order(ByteOrder.LITTLE_ENDIAN);
        return new Normalizer.Precompiled(units, map.slice(map.position() + trie, map.remaining() - trie));
    }

    private static ByteBuffer base64(Fields fields) {
        byte[] bytes = {};
        if (fields.has("precompiled_charsmap")) {
            try {
                bytes = Base64.getDecoder().decode(fields.text("precompiled_charsmap"));
            } catch (IllegalArgumentException bad) {
                fields.fault("precompiled_charsmap", "not base64: %s", bad.getMessage());
            }
        }
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
}
