package io.knabla.controller.cost.ledger.segment;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * Cuts the one record that a killed process only began at the end of its file, and marks the ends of files. Whatever
 * else is no record stays in its file, which names it as damage from then on.
 */
final class TornTails {
    private final LocalFolder files;

    TornTails(LocalFolder files) {
        this.files = files;
    }

    /** Returns what was cut, and the damage that stays. */
    List<LedgerDamage> cut() {
        List<LedgerDamage> damages = new ArrayList<>(files.list().damages());
        for (SegmentName name : files.list().names()) {
            try {
                damages.addAll(cut(name, Files.readAllBytes(files.file(name))));
            } catch (IOException unreadable) {
                damages.add(files.unreadable(name, unreadable));
            }
        }
        return List.copyOf(damages);
    }

    private List<LedgerDamage> cut(SegmentName name, byte[] bytes) {
        RecordFraming.Scan scan = RecordFraming.scan(bytes);
        if (!scan.complete()) {
            end(name, scan.torn() ? scan.end() : bytes.length);
        }
        return SegmentContents.damages(name, bytes.length, scan, LedgerDamage.Type.TORN_TAIL);
    }

    private void end(SegmentName name, int size) {
        try (FileChannel file = FileChannel.open(files.file(name), StandardOpenOption.WRITE)) {
            file.truncate(size);
            file.write(ByteBuffer.wrap(RecordFraming.END), size);
            file.force(true);
        } catch (IOException failed) {
            throw files.failed("end the segment " + name + " in", failed);
        }
    }
}
