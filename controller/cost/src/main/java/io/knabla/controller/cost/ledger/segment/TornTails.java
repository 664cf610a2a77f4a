package io.knabla.controller.cost.ledger.segment;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/** Cuts what a killed process left behind the last whole frame of its files, and marks their ends. */
final class TornTails {
    private final LocalFolder files;

    TornTails(LocalFolder files) {
        this.files = files;
    }

    /** Returns what was cut, and the damage that is not at an end and stays. */
    List<LedgerDamage> cut() {
        List<LedgerDamage> damages = new ArrayList<>(files.list().damages());
        for (SegmentName name : files.list().names()) {
            byte[] bytes = files.bytes(name).orElseThrow();
            RecordFraming.Scan scan = RecordFraming.scan(bytes);
            damages.addAll(SegmentContents.damages(name, bytes.length, scan, LedgerDamage.Type.TORN_TAIL));
            if (!scan.complete()) {
                end(name, scan.end());
            }
        }
        return List.copyOf(damages);
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
