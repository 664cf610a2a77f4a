package io.knabla.controller.cost.ledger;

import static io.knabla.controller.cost.ledger.TestRows.FIVE;
import static io.knabla.controller.cost.ledger.TestRows.SEVEN;
import static io.knabla.controller.cost.ledger.TestRows.SIX;
import static io.knabla.controller.cost.ledger.TestRows.ended;
import static io.knabla.controller.cost.ledger.TestRows.requests;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.knabla.controller.cost.ledger.row.UsageRecord;
import io.knabla.controller.cost.ledger.segment.LedgerDamage;
import io.knabla.storage.Content;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.memory.MemoryObjectStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What cannot be read is named, the rest is read, and nothing of it is deleted. */
class DamageTest {
    @TempDir
    Path temp;

    private final TestClock clock = new TestClock(FIVE);
    private final ObjectStore store = new MemoryObjectStore(clock);

    private LedgerParts parts() {
        return new LedgerParts(store, clock, temp);
    }

    private void change(String key, UnaryOperator<byte[]> change) throws IOException {
        byte[] bytes = store.read(new ObjectKey(key)).orElseThrow().bytes();
        store.write(new ObjectKey(key), Content.of(change.apply(bytes)));
    }

    private static byte[] flip(byte[] bytes) {
        bytes[bytes.length / 2] ^= 1;
        return bytes;
    }

    private String only(String prefix) {
        assertThat(parts().keys(prefix)).hasSize(1);
        return parts().keys(prefix).getFirst();
    }

    private void merged() {
        parts().append(ended("a", FIVE, SIX, 0), requests("r", FIVE, 1, 0));
        clock.set(SIX);
        parts().compact();
        parts().compact();
    }

    @Test
    void aChangedParquetFileIsNamedAndTheOthersAreRead() throws Exception {
        merged();
        String file = only("usage/nodes/");
        change(file, DamageTest::flip);
        Usage usage = parts().read();
        assertThat(usage.rows()).containsExactly(requests("r", FIVE, 1, 0));
        assertThat(usage.damages())
                .extracting(LedgerDamage::name, LedgerDamage::type)
                .containsExactly(tuple(file, LedgerDamage.Type.CORRUPT));
    }

    @Test
    void aMissingParquetFileIsNamed() {
        merged();
        String file = only("usage/requests/");
        store.delete(new ObjectKey(file));
        Usage usage = parts().read();
        assertThat(usage.rows()).containsExactly(ended("a", FIVE, SIX, 0));
        assertThat(usage.damages())
                .extracting(LedgerDamage::name, LedgerDamage::type)
                .containsExactly(tuple(file, LedgerDamage.Type.MISSING));
    }

    /** The manifest was made for this file, so its bytes are not damaged: the database cannot read what it wrote. */
    @Test
    void aReadingOfAFileThatIsNoParquetFailsAndNamesIt() throws Exception {
        merged();
        String file = only("usage/nodes/");
        ObjectKey manifest = Hour.of(FIVE).manifest();
        String before = new String(store.read(manifest).orElseThrow().bytes(), StandardCharsets.UTF_8);
        String digest = before.replaceAll("(?s).*\"key\":\"" + file + "\"[^}]*\"sha256\":\"([0-9a-f]+)\".*", "$1");
        String empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        change(file, bytes -> new byte[0]);
        change(manifest.path(), bytes -> before.replace(digest, empty).getBytes(StandardCharsets.UTF_8));
        assertThatThrownBy(() -> parts().read()).hasMessageContaining(file);
    }

    @Test
    void rowsAreNotMergedWithAChangedFileAndStayInTheirSegments() throws Exception {
        merged();
        String file = only("usage/nodes/");
        change(file, DamageTest::flip);
        parts().append(ended("b", FIVE, SIX, 0));
        clock.set(SEVEN);
        for (int run = 0; run < 2; run++) {
            Compaction compaction = parts().compact();
            assertThat(compaction.hoursMerged()).isZero();
            assertThat(compaction.segmentsDeleted()).isZero();
            assertThat(compaction.damages()).extracting(LedgerDamage::name).containsExactly(file);
        }
        assertThat(parts().read().rows()).extracting(UsageRecord::id).contains("b");
    }

    @Test
    void aChangedManifestIsNamedAndNeitherReplacedNorItsFilesDeleted() throws Exception {
        merged();
        String manifest = only("usage/manifests/");
        change(manifest, bytes -> Arrays.copyOf(bytes, bytes.length / 2));
        parts().append(ended("b", FIVE, SIX, 0));
        clock.set(SIX.plus(LedgerParts.RETENTION).plus(LedgerParts.RETENTION));
        assertThat(parts().compact().damages()).extracting(LedgerDamage::name).containsExactly(manifest);
        assertThat(parts().retain()).isEqualTo(new Retention.Deleted(0, 0));
        Usage usage = parts().read();
        assertThat(usage.rows()).containsExactly(ended("b", FIVE, SIX, 0));
        assertThat(usage.damages()).extracting(LedgerDamage::name).containsExactly(manifest);
    }

    @Test
    void aChangedSegmentIsNamedAndKeptUntilTheRetentionIsOver() throws Exception {
        parts().append(ended("a", FIVE, SIX, 0));
        parts().append(ended("b", FIVE, SIX, 0));
        String segment = parts().keys("usage/wal/").getFirst();
        change(segment, DamageTest::flip);
        clock.set(SIX);
        parts().compact();
        assertThat(parts().compact().segmentsDeleted()).isOne();

        Usage usage = parts().read();
        assertThat(usage.rows()).containsExactly(ended("b", FIVE, SIX, 0));
        assertThat(usage.damages())
                .singleElement()
                .satisfies(damage -> assertThat(segment).endsWith(damage.name()));

        clock.set(SIX.plus(LedgerParts.RETENTION).plusSeconds(1));
        assertThat(parts().compact().segmentsDeleted()).isOne();
        assertThat(parts().keys("usage/wal/")).isEmpty();
    }

    @Test
    void anHourOfANewerVersionIsReadButNotReplaced() throws Exception {
        merged();
        String manifest = only("usage/manifests/");
        change(
                manifest,
                bytes -> new String(bytes, StandardCharsets.UTF_8)
                        .replace("\"schema\":1", "\"schema\":2,\"co2\":{}")
                        .getBytes(StandardCharsets.UTF_8));
        assertThat(parts().read().rows()).hasSize(2);
        assertThat(parts().read().damages()).isEmpty();
        parts().append(ended("b", FIVE, SIX, 0));
        clock.set(SEVEN);
        assertThat(parts().compact().damages()).extracting(LedgerDamage::type).containsExactly(LedgerDamage.Type.NEWER);
        assertThat(parts().read().rows()).hasSize(3);
    }
}
