package io.knabla.controller.cost.ledger.segment;

import static io.knabla.controller.cost.ledger.TestRows.FIVE;
import static io.knabla.controller.cost.ledger.TestRows.SIX;
import static io.knabla.controller.cost.ledger.TestRows.ended;
import static io.knabla.controller.cost.ledger.TestRows.requests;
import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.cost.ledger.TestClock;
import io.knabla.controller.cost.ledger.row.UsageRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a killed process, or a bad disk, leaves of a segment file. */
class TornTailTest {
    private static final List<UsageRecord> FIRST = List.of(ended("a", FIVE, SIX, 0), requests("r", FIVE, 1, 0));
    private static final List<UsageRecord> SECOND = List.of(ended("b", FIVE, SIX, 0));
    private static final List<UsageRecord> THIRD = List.of(ended("c", FIVE, SIX, 0));
    private static final SegmentName NAME = new SegmentName(FIVE, "w", 0);

    @TempDir
    Path folder;

    private final byte[] first = SegmentContents.encode(FIRST);
    private final byte[] second = SegmentContents.encode(SECOND);
    private final byte[] whole = RecordFraming.join(List.of(first, second, SegmentContents.encode(THIRD)));

    private Path write(byte[] bytes) throws IOException {
        return Files.write(folder.resolve(NAME + ".wal"), bytes);
    }

    private List<LedgerDamage> open() {
        try (LocalSegments segments = LocalSegments.open(folder, "other", new TestClock(FIVE), 1 << 20)) {
            return segments.recovered();
        }
    }

    private SegmentContents read() {
        return new LocalFolder(folder).read(NAME).orElseThrow();
    }

    @Test
    void aTailTornAtAnyByteIsCutAndTold() throws Exception {
        int last = first.length + second.length;
        for (int size = last + 1; size < whole.length; size++) {
            Path file = write(Arrays.copyOf(whole, size));
            assertThat(read().damages()).extracting(LedgerDamage::type).containsExactly(LedgerDamage.Type.TORN_TAIL);

            assertThat(open()).as("torn at byte %d", size).singleElement().satisfies(damage -> {
                assertThat(damage.type()).isEqualTo(LedgerDamage.Type.TORN_TAIL);
                assertThat(damage.name()).isEqualTo(NAME.toString());
                assertThat(damage.detail()).contains("byte " + last);
            });
            assertThat(Files.size(file)).isEqualTo(last + RecordFraming.END.length);
            assertThat(read().rows()).containsExactly(FIRST.get(0), FIRST.get(1), SECOND.get(0));
            assertThat(open()).isEmpty();
        }
    }

    /** Rows may have stood there that were acknowledged: they are missed for good, and all that is left is kept. */
    @Test
    void whatIsMoreThanOneBegunRecordIsDamageAndStays() throws Exception {
        byte[] zeros = new byte[second.length + 5000];
        byte[] secondAndMore = RecordFraming.join(List.of(second, zeros));
        secondAndMore[RecordFraming.HEADER] ^= 1;
        byte[] lastChanged = second.clone();
        lastChanged[second.length - 1] ^= 1;
        for (byte[] tail : List.of(zeros, secondAndMore, lastChanged, new byte[] {0}, new byte[] {1, 2, 3, 4, 5})) {
            byte[] bytes = RecordFraming.join(List.of(first, tail));
            Path file = write(bytes);
            assertIsDamaged(first.length, tail.length);
            assertThat(Files.readAllBytes(file)).startsWith(bytes);
            assertThat(read().rows()).isEqualTo(FIRST);
        }
    }

    @Test
    void aFileOfZerosIsDamageAndStays() throws Exception {
        Path file = write(new byte[whole.length]);
        assertIsDamaged(0, whole.length);
        assertThat(Files.size(file)).isEqualTo(whole.length + RecordFraming.END.length);
        assertThat(read().rows()).isEmpty();
    }

    private void assertIsDamaged(int from, int bytes) {
        String place = "%d bytes, from byte %d,".formatted(bytes, from);
        assertThat(read().damages()).singleElement().satisfies(damage -> {
            assertThat(damage.type()).isEqualTo(LedgerDamage.Type.CORRUPT);
            assertThat(damage.detail()).contains(place);
        });
        for (int opening = 0; opening < 2; opening++) {
            assertThat(open()).extracting(LedgerDamage::type).containsExactly(LedgerDamage.Type.CORRUPT);
            assertThat(read().isWhole()).isFalse();
        }
    }

    @Test
    void damageToTheLastRecordOfACompleteFileIsNoTornTail() throws Exception {
        byte[] complete = RecordFraming.join(List.of(first, second, RecordFraming.END));
        for (int at = first.length; at < complete.length; at++) {
            byte[] bad = complete.clone();
            bad[at] ^= 0x10;
            write(bad);
            // An end mark with a larger length looks like a record that is begun.
            int inMark = at - first.length - second.length;
            boolean seemsBegun = inMark >= 4 && inMark < 8;
            assertThat(read().damages())
                    .extracting(LedgerDamage::type)
                    .as("changed at byte %d", at)
                    .containsExactly(seemsBegun ? LedgerDamage.Type.TORN_TAIL : LedgerDamage.Type.CORRUPT);
        }
    }

    @Test
    void aWholeFileIsLeftAsItIs() throws Exception {
        write(whole);
        assertThat(open()).isEmpty();
        assertThat(read().rows()).hasSize(4);
        assertThat(read().damages()).isEmpty();
    }

    /** Of a record in the middle every byte is changed in turn: only this record is missed, and nothing is cut. */
    @Test
    void damageInTheMiddleIsToldAndWhatFollowsIsRead() throws Exception {
        for (int at = first.length; at < first.length + second.length; at++) {
            byte[] bad = whole.clone();
            bad[at] ^= 0x10;
            Path file = write(bad);
            assertThat(open()).as("changed at byte %d", at).singleElement().satisfies(damage -> {
                assertThat(damage.type()).isEqualTo(LedgerDamage.Type.CORRUPT);
                assertThat(damage.detail()).contains("byte " + first.length);
            });
            assertThat(Files.readAllBytes(file)).startsWith(bad);
            assertThat(read().rows()).containsExactly(FIRST.get(0), FIRST.get(1), THIRD.get(0));
            assertThat(read().isWhole()).isFalse();
        }
    }
}
