package io.knabla.controller.cost.ledger.segment;

import io.knabla.controller.cost.ledger.row.RowFormatException;
import io.knabla.controller.cost.ledger.row.RowJson;
import io.knabla.controller.cost.ledger.row.UsageRecord;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Rows of a segment, and what of it could not be read.
 *
 * @param rows in the order in which they were written
 */
public record SegmentContents(List<UsageRecord> rows, List<LedgerDamage> damages) {
    /** A frame is closed when it is larger, so that damage to one does not take many rows with it. */
    private static final int FRAME_BYTES = 1 << 20;

    public SegmentContents {
        rows = List.copyOf(rows);
        damages = List.copyOf(damages);
    }

    /** Returns whether all is read that was acknowledged, and this version knows all of it. */
    public boolean isWhole() {
        return damages.stream().allMatch(damage -> damage.type() == LedgerDamage.Type.TORN_TAIL);
    }

    /** Returns whether a newer version wrote some of it, which merging here would lose. */
    public boolean isNewer() {
        return damages.stream().anyMatch(damage -> damage.type() == LedgerDamage.Type.NEWER);
    }

    /**
     * Encodes rows as frames of JSON lines.
     *
     * @throws IllegalArgumentException see {@link RowJson#encode}
     */
    public static byte[] encode(List<UsageRecord> rows) {
        ByteArrayOutputStream frames = new ByteArrayOutputStream();
        ByteArrayOutputStream lines = new ByteArrayOutputStream();
        for (UsageRecord row : rows) {
            lines.writeBytes(RowJson.encode(row));
            lines.write('\n');
            if (lines.size() >= FRAME_BYTES) {
                frames.writeBytes(RecordFraming.encode(lines.toByteArray()));
                lines.reset();
            }
        }
        if (lines.size() > 0) {
            frames.writeBytes(RecordFraming.encode(lines.toByteArray()));
        }
        return frames.toByteArray();
    }

    /** @param tail what it means if the last record is only begun */
    static SegmentContents decode(SegmentName name, byte[] bytes, LedgerDamage.Type tail) {
        RecordFraming.Scan scan = RecordFraming.scan(bytes);
        List<UsageRecord> rows = new ArrayList<>();
        List<LedgerDamage> damages = new ArrayList<>(damages(name, bytes.length, scan, tail));
        int newer = 0;
        for (byte[] payload : scan.payloads()) {
            for (String line :
                    new String(payload, StandardCharsets.UTF_8).lines().toList()) {
                newer = Math.max(newer, read(name, line, rows, damages));
            }
        }
        if (newer > RowJson.VERSION) {
            damages.add(new LedgerDamage(
                    name.toString(),
                    LedgerDamage.Type.NEWER,
                    "it has rows of schema version %d, this program writes %d".formatted(newer, RowJson.VERSION)));
        }
        return new SegmentContents(rows, damages);
    }

    private static int read(SegmentName name, String line, List<UsageRecord> rows, List<LedgerDamage> damages) {
        try {
            RowJson.Versioned read = RowJson.decode(line);
            rows.add(read.row());
            return read.version();
        } catch (RowFormatException bad) {
            damages.add(new LedgerDamage(name.toString(), LedgerDamage.Type.CORRUPT, bad.getMessage()));
            return 0;
        }
    }

    static List<LedgerDamage> damages(SegmentName name, int size, RecordFraming.Scan scan, LedgerDamage.Type tail) {
        List<LedgerDamage> damages = new ArrayList<>();
        scan.gaps()
                .forEach(gap -> damages.add(new LedgerDamage(
                        name.toString(),
                        LedgerDamage.Type.CORRUPT,
                        "its %d bytes from byte %d are no whole record".formatted(gap.bytes(), gap.from()))));
        if (scan.end() < size) {
            damages.add(new LedgerDamage(
                    name.toString(),
                    scan.torn() && !scan.complete() ? tail : LedgerDamage.Type.CORRUPT,
                    "its last %d bytes, from byte %d, are no whole record".formatted(size - scan.end(), scan.end())));
        }
        return damages;
    }
}
