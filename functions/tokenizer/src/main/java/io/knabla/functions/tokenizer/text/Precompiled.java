package io.knabla.functions.tokenizer.text;

import io.knabla.functions.tokenizer.spec.Normalizer;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.text.BreakIterator;
import java.util.Locale;

/**
 * Replaces characters by the rules of a SentencePiece model, which are in a double-array trie of the Darts library.
 *
 * <p>A short grapheme is looked up as a whole, and the first rule for a prefix of it replaces all of it; that is odd,
 * and what Hugging Face does.
 */
final class Precompiled {
    private static final int SHORT_BYTES = 6;

    private final ByteBuffer trie;
    private final ByteBuffer replacements;

    Precompiled(Normalizer.Precompiled rules) {
        trie = rules.trie();
        replacements = rules.replacements();
    }

    String apply(String text) {
        var result = new StringBuilder(text.length());
        var graphemes = BreakIterator.getCharacterInstance(Locale.ROOT);
        graphemes.setText(text);
        int from = 0;
        for (int to = graphemes.next(); to != BreakIterator.DONE; to = graphemes.next()) {
            grapheme(text.substring(from, to), result);
            from = to;
        }
        return result.toString();
    }

    private void grapheme(String grapheme, StringBuilder result) {
        byte[] bytes = grapheme.getBytes(StandardCharsets.UTF_8);
        String whole = bytes.length < SHORT_BYTES ? replacement(bytes) : null;
        if (whole != null) {
            result.append(whole);
            return;
        }
        grapheme.codePoints().forEach(c -> {
            String character = Character.toString(c);
            String one = replacement(character.getBytes(StandardCharsets.UTF_8));
            result.append(one == null ? character : one);
        });
    }

    /** Replacement for the shortest prefix that has one; null if none has. */
    private String replacement(byte[] key) {
        int position = offset(unit(0));
        for (byte signed : key) {
            int label = signed & 0xff;
            position ^= label;
            int unit = unit(position);
            if (label == 0 || (unit & 0x800000ff) != label) {
                return null;
            }
            position ^= offset(unit);
            if ((unit >> 8 & 1) == 1) {
                return text(unit(position) & 0x7fffffff);
            }
        }
        return null;
    }

    /** Unit of the trie; beyond its end one that matches nothing. */
    private int unit(int index) {
        return index < 0 || index >= trie.limit() / Integer.BYTES ? 0 : trie.getInt(index * Integer.BYTES);
    }

    private static int offset(int unit) {
        return unit >>> 10 << ((unit & 1 << 9) >> 6);
    }

    private String text(int start) {
        if (start >= replacements.limit()) {
            return null;
        }
        int end = start;
        while (replacements.get(end) != 0) {
            end++;
        }
        byte[] bytes = new byte[end - start];
        replacements.get(start, bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
