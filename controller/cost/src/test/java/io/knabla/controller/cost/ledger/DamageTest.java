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
import io.knabla.controller.usage.RequestSum;
import io.knabla.storage.Content;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.file.FileObjectStore;
import io.knabla.storage.memory.MemoryObjectStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
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

    /** A report takes the sums of a whole hour in place of its minutes. */
    @Test
    void aMissingFileOfSumsIsNamed() throws Exception {
        merged();
        String file = only("usage/request-sums/");
        store.delete(new ObjectKey(file));
        UsageReader reader = new UsageReader(store, parts().segments(), LedgerParts.DUCKDB, temp);
        PeriodUsage usage = reader.period(FIVE, SIX, EnumSet.allOf(RequestSum.By.class));
        assertThat(usage.requests()).isEmpty();
        assertThat(usage.damages())
                .extracting(LedgerDamage::name, LedgerDamage::type)
                .containsExactly(tuple(file, LedgerDamage.Type.MISSING));
        assertThat(check()).isEqualTo(List.of(file));
    }

    private List<String> check() {
        return new LedgerCheck(store, parts().segments())
                .run(clock.instant()).stream().map(LedgerDamage::name).toList();
    }

    @Test
    void aDeletedManifestIsNamedAndItsFilesAreKept() {
        merged();
        String manifest = only("usage/manifests/");
        store.delete(new ObjectKey(manifest));
        assertThat(parts().read().damages())
                .extracting(LedgerDamage::name, LedgerDamage::type)
                .containsExactly(tuple(manifest, LedgerDamage.Type.MISSING));
        assertThat(check()).isEqualTo(List.of(manifest));
        clock.set(SIX.plus(LedgerParts.RETENTION));
        assertThat(parts().retain()).isEqualTo(new Retention.Deleted(0, 0));
        assertThat(parts().keys("usage/nodes/")).hasSize(1);
    }

    @Test
    void aLateRowOfAnHourWithoutAManifestIsMergedWithItsFiles() {
        merged();
        store.delete(new ObjectKey(only("usage/manifests/")));
        parts().append(ended("b", FIVE, SIX, 0));
        clock.set(SEVEN);
        assertThat(parts().compact().damages()).isEmpty();
        assertThat(parts().compact().segmentsDeleted()).isOne();
        assertThat(parts().read())
                .isEqualTo(new Usage(
                        List.of(ended("a", FIVE, SIX, 0), ended("b", FIVE, SIX, 0), requests("r", FIVE, 1, 0)),
                        List.of()));
        assertThat(check()).isEmpty();
    }

    @Test
    void aLateRowStaysInItsSegmentIfTheFilesOfItsHourAreNone() throws Exception {
        merged();
        store.delete(new ObjectKey(only("usage/manifests/")));
        change(only("usage/nodes/"), bytes -> new byte[bytes.length]);
        parts().append(ended("b", FIVE, SIX, 0));
        clock.set(SEVEN);
        Compaction compaction = parts().compact();
        assertThat(compaction.damages()).extracting(LedgerDamage::type).containsExactly(LedgerDamage.Type.CORRUPT);
        assertThat(parts().compact().segmentsDeleted()).isZero();
        assertThat(parts().read().rows()).containsExactly(ended("b", FIVE, SIX, 0));
    }

    @Test
    void foldersInPlaceOfAManifestAndAFileAreNamedAndTheRestIsRead() throws Exception {
        try (FileObjectStore files = FileObjectStore.open(temp.resolve("store"))) {
            LedgerParts parts = parts().over(files);
            parts.append(ended("a", FIVE, SIX, 0), requests("r", FIVE, 1, 0), ended("b", SIX, SEVEN, 0));
            clock.set(SEVEN);
            parts.compact();
            parts.compact();
            String ofNodes = parts.keys("usage/nodes/").getFirst();
            String manifest = Hour.of(SIX).manifest().path();
            for (String key : List.of(ofNodes, manifest)) {
                Path file = files.localPath(new ObjectKey(key)).orElseThrow();
                Files.delete(file);
                Files.createDirectory(file);
            }
            Usage usage = parts.read();
            assertThat(usage.rows()).containsExactly(requests("r", FIVE, 1, 0));
            assertThat(usage.damages())
                    .extracting(LedgerDamage::name, LedgerDamage::type)
                    .containsExactlyInAnyOrder(
                            tuple(ofNodes, LedgerDamage.Type.CORRUPT), tuple(manifest, LedgerDamage.Type.CORRUPT));
            assertThat(new LedgerCheck(files, parts.segments()).run(clock.instant()))
                    .extracting(LedgerDamage::name)
                    .containsExactlyInAnyOrder(ofNodes, manifest);
        }
    }

    /** The files of a day stand for those of its hours, and these are what counts. */
    @Test
    void aDamagedManifestOfADayIsLeftToItsHours() throws Exception {
        merged();
        clock.set(FIVE.plus(Duration.ofDays(1)));
        parts().compact();
        List<String> ofDay = parts().keys("usage/days/");
        change(ofDay.stream().filter(key -> key.endsWith(".json")).findFirst().orElseThrow(), bytes -> new byte[9]);
        UsageReader reader = new UsageReader(store, parts().segments(), LedgerParts.DUCKDB, temp);
        Instant midnight = FIVE.truncatedTo(ChronoUnit.DAYS);
        PeriodUsage usage =
                reader.period(midnight, midnight.plus(Duration.ofDays(1)), EnumSet.allOf(RequestSum.By.class));
        assertThat(usage.nodes()).hasSize(1);
        assertThat(usage.requests()).isNotEmpty();
        assertThat(usage.damages()).isEmpty();
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
