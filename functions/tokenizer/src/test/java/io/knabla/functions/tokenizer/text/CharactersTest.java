package io.knabla.functions.tokenizer.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.text.Normalizer.Form;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;

/**
 * Classes of all characters, compared with those of Hugging Face's tokenizers 0.23: how many there are, and the CRC-32
 * of their code points in decimal digits with commas between them.
 */
class CharactersTest {
    private static long[] sum(IntPredicate wanted) {
        String all = IntStream.rangeClosed(0, Character.MAX_CODE_POINT)
                .filter(c -> c < Character.MIN_SURROGATE || c > Character.MAX_SURROGATE)
                .filter(wanted)
                .mapToObj(String::valueOf)
                .collect(Collectors.joining(","));
        var crc = new CRC32();
        crc.update(all.getBytes(StandardCharsets.US_ASCII));
        return new long[] {all.chars().filter(c -> c == ',').count() + 1, crc.getValue()};
    }

    /** Those that BertNormalizer strips as accents, and that have no parts. */
    @Test
    void nonspacingMarks() {
        assertThat(sum(c -> Characters.isNonspacingMark(c) && Normalizer.isNormalized(Character.toString(c), Form.NFD)))
                .containsExactly(1549, 68039897);
    }

    /** Those at which BertPreTokenizer splits, beside white space. */
    @Test
    void punctuation() {
        assertThat(sum(Characters::isPunctuation)).containsExactly(726, 3816885051L);
    }

    /** Those that BertNormalizer removes as control characters. */
    @Test
    void controls() {
        assertThat(sum(c -> c != 0 && Characters.isOther(c) && !(c == '\t' || c == '\n' || c == '\r')))
                .containsExactly(137679, 1426232231);
    }
}
