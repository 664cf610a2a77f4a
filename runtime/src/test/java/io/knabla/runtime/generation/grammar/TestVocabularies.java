package io.knabla.runtime.generation.grammar;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Tokens of tests: token 0 ends a text, the next 256 are single bytes, then come texts of several. */
public final class TestVocabularies {
    public static final int END = 0;

    private static final List<String> WORDS = List.of(
            "{\"",
            "\":",
            "\": ",
            "\",\"",
            "\", \"",
            "\"}",
            "},{",
            "}]",
            "[]",
            "{}",
            "true",
            "false",
            "null",
            " the",
            "name",
            "\"name\":\"",
            "é",
            "日本",
            "\\n",
            "\\\"",
            "00",
            "123",
            "-1",
            ".5",
            "1e",
            "]}",
            "ab",
            "abc",
            "\"]");

    private TestVocabularies() {}

    /** The single bytes and some tokens that cross the borders of JSON's. */
    public static TokenVocabulary small() {
        return TokenVocabulary.of(bytes(WORDS), List.of(END));
    }

    /** So many tokens, most of them words, with the lengths of real vocabularies. */
    public static TokenVocabulary large(int size) {
        var random = new Random(7);
        List<String> words = new ArrayList<>(WORDS);
        while (words.size() < size - 257) {
            var word = new StringBuilder(random.nextInt(3) == 0 ? "" : " ");
            for (int length = 1 + random.nextInt(5) + random.nextInt(6); length > 0; length--) {
                int kind = random.nextInt(20);
                word.append((char)
                        (kind == 0
                                ? 0x4e00 + random.nextInt(5000)
                                : kind == 1
                                        ? '!' + random.nextInt(90)
                                        : "etaoinshrdlucmfwypvbgkjqxz"
                                                .charAt((int) Math.abs(random.nextGaussian() * 8) % 26)));
            }
            words.add(word.toString());
        }
        return TokenVocabulary.of(bytes(words), List.of(END));
    }

    private static byte[][] bytes(List<String> words) {
        List<byte[]> all = new ArrayList<>(List.of(new byte[0]));
        for (int one = 0; one < 256; one++) {
            all.add(new byte[] {(byte) one});
        }
        words.forEach(word -> all.add(word.getBytes(StandardCharsets.UTF_8)));
        return all.toArray(new byte[0][]);
    }
}
