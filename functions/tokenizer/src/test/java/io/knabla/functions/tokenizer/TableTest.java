package io.knabla.functions.tokenizer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.knabla.functions.tokenizer.compile.Fixtures;
import io.knabla.functions.tokenizer.table.BadTableException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.zip.CRC32C;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that damaged tables are refused, and forged ones do no harm. */
class TableTest {
    private static final Map<String, byte[]> TABLES =
            List.of("gpt2", "bert", "unigram").stream().collect(Collectors.toMap(name -> name, Fixtures::table));
    private static final int CHECKED_FROM = 16;

    /** Of the last of ten sections, each with an offset and a size. */
    private static final int SIZE_OF_SCORES = 24 + 9 * 8 + 4;

    @Test
    void opensAFile(@TempDir Path folder) throws IOException {
        Path file = Files.write(folder.resolve("tokenizer.bin"), TABLES.get("gpt2"));
        Tokenizer tokenizer = Tokenizer.open(file);

        assertThat(tokenizer.size()).isEqualTo(500);
        assertThat(tokenizer.decode(tokenizer.encode("Grüße 😀", true).ids(), true))
                .isEqualTo("Grüße 😀");
        assertThat(tokenizer.token(tokenizer.id("<|endoftext|>").orElseThrow())).isEqualTo("<|endoftext|>");
        assertThat(tokenizer.id("nothing like this")).isEmpty();
        assertThat(tokenizer.token(-1) + tokenizer.token(500)).isEmpty();
        assertThat(tokenizer.decode(new int[] {-1, 500, Integer.MAX_VALUE}, true))
                .isEmpty();
    }

    @Test
    void refusesOtherVersions() {
        byte[] table = TABLES.get("gpt2").clone();
        table[8] = 2;

        assertThatThrownBy(() -> Tokenizer.of(ByteBuffer.wrap(table)))
                .isInstanceOf(BadTableException.class)
                .hasMessageContaining("its version is 2, known is 1");
    }

    @Property(tries = 300)
    void refusesTruncatedTables(@ForAll @IntRange(max = 1_000_000) int length) {
        byte[] table = TABLES.get("gpt2");

        assertThatThrownBy(() -> Tokenizer.of(ByteBuffer.wrap(Arrays.copyOf(table, length % table.length))))
                .isInstanceOf(BadTableException.class);
    }

    @Property(tries = 300)
    void refusesTablesWithAChangedBit(@ForAll int place, @ForAll @IntRange(max = 7) int bit) {
        byte[] table = TABLES.get("bert").clone();
        table[Math.floorMod(place, table.length)] ^= (byte) (1 << bit);

        assertThatThrownBy(() -> Tokenizer.of(ByteBuffer.wrap(table))).isInstanceOf(BadTableException.class);
    }

    @Test
    void refusesATableWithFewerScoresThanTokens() {
        byte[] table = TABLES.get("unigram").clone();
        forge(table, SIZE_OF_SCORES, 100 * Double.BYTES);

        assertThatThrownBy(() -> Tokenizer.of(ByteBuffer.wrap(table)))
                .isInstanceOf(BadTableException.class)
                .hasMessageContaining("its tokens have 100 scores, fewer than their ids");
    }

    /** Makes the checksum fit, as an attacker would. */
    private static void forge(byte[] table, int at, int value) {
        ByteBuffer file = ByteBuffer.wrap(table).order(ByteOrder.LITTLE_ENDIAN).putInt(at, value);
        var checksum = new CRC32C();
        checksum.update(table, CHECKED_FROM, table.length - CHECKED_FROM);
        file.putInt(12, (int) checksum.getValue());
    }

    @Property(tries = 1500)
    void forgedTablesAreRefusedOrHarmless(@ForAll int place, @ForAll int value, @ForAll @IntRange(max = 2) int which) {
        byte[] table = TABLES.get(List.of("gpt2", "bert", "unigram").get(which)).clone();
        // The header and the settings are a small part of a table, and the most dangerous one.
        int range = place % 2 == 0 ? table.length : 3000;
        int at = CHECKED_FROM + Math.floorMod(place / 2, range - CHECKED_FROM - 4);
        forge(table, at & ~3, value);
        try {
            Tokenizer tokenizer = Tokenizer.of(ByteBuffer.wrap(table));
            int[] ids =
                    tokenizer.encode("All human beings, 中文 ½ 😀 [MASK]", true).ids();
            tokenizer.decode(ids, false);
        } catch (BadTableException refused) {
            assertThat(refused).hasMessageContaining("not a tokenizer table");
        }
    }
}
