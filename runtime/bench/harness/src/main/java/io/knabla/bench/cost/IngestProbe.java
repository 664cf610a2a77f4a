package io.knabla.bench.cost;

import io.knabla.controller.cost.ledger.Ledger;
import io.knabla.controller.cost.ledger.row.RecordKind;
import io.knabla.controller.cost.ledger.row.UsageRecord;
import io.knabla.controller.cost.ledger.segment.LocalSegments;
import io.knabla.controller.cost.ledger.segment.SegmentContents;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * Appends batches of request minutes to a ledger, and writes the same bytes bare; every batch is flushed to the disk.
 */
final class IngestProbe {
    private static final long SEGMENT_BYTES = 16 << 20;

    private final Path folder;
    private final List<List<UsageRecord>> batches = new ArrayList<>();
    private final List<byte[]> bytes;

    /** @param batch rows that are appended at once */
    IngestProbe(Path folder, int batch, int count) {
        this.folder = folder;
        List<UsageRecord> minutes = new UsageFleet(new UsageFleet.Shape(60, 600, 60))
                .hour(0).stream()
                        .filter(row -> row.kind() == RecordKind.REQUESTS)
                        .toList();
        for (int i = 0; i < count; i++) {
            int from = i * batch % (minutes.size() - batch);
            batches.add(minutes.subList(from, from + batch));
        }
        bytes = batches.stream().map(SegmentContents::encode).toList();
    }

    double ledgerSeconds() {
        String writer = UUID.randomUUID().toString().replace("-", "");
        try (LocalSegments segments =
                LocalSegments.open(folder.resolve(writer), writer, Clock.systemUTC(), SEGMENT_BYTES)) {
            Ledger ledger = new Ledger(segments);
            long start = System.nanoTime();
            batches.forEach(ledger::append);
            return seconds(start);
        }
    }

    double bareSeconds() throws IOException {
        Path file = folder.resolve(UUID.randomUUID().toString());
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            long start = System.nanoTime();
            for (byte[] batch : bytes) {
                ByteBuffer left = ByteBuffer.wrap(batch);
                while (left.hasRemaining()) {
                    channel.write(left);
                }
                channel.force(false);
            }
            return seconds(start);
        }
    }

    private static double seconds(long start) {
        return (System.nanoTime() - start) / 1e9;
    }
}
