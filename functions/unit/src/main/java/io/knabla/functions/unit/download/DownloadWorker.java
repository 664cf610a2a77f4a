package io.knabla.functions.unit.download;

import io.knabla.storage.Advice;
import io.knabla.storage.ByteRange;
import io.knabla.storage.StorageException;
import java.io.IOException;
import java.io.InputStream;

/** Downloads one range after another over one connection until none is left or a worker fails. */
final class DownloadWorker implements Runnable {
    /** A smaller buffer costs system calls; a larger one leaves the CPU's cache before it is hashed. */
    private static final int BUFFER = 256 << 10;

    /** Consecutive streams without any byte that count as an outage; the store has retried each already. */
    private static final int BARREN = 3;

    private final RangeQueue queue;
    private byte[] buffer;

    private final boolean late;

    /** @param late whether it starts only when the first streams turn out to be too slow */
    DownloadWorker(RangeQueue queue, boolean late) {
        this.queue = queue;
        this.late = late;
    }

    @Override
    public void run() {
        try {
            if (late) {
                queue.awaitNeed();
            }
            buffer = new byte[BUFFER];
            for (var claim = queue.next(); claim.isPresent(); claim = queue.next()) {
                new RangeFetch(claim.get()).run();
            }
        } catch (IOException | InterruptedException | RuntimeException | Error failed) {
            queue.fail(failed);
        }
    }

    private final class RangeFetch {
        private final FileDownload file;
        private final long start;
        private final long end;
        private long at;
        private IOException broken;

        RangeFetch(RangeQueue.Claim claim) {
            file = claim.file();
            start = claim.range().offset();
            end = start + claim.range().length();
            at = start;
        }

        void run() throws IOException {
            try {
                for (int barren = 0; at < end && !queue.stopped(); ) {
                    long before = at;
                    stream();
                    barren = at > before ? 0 : barren + 1;
                    if (barren == BARREN) {
                        throw givenUp();
                    }
                }
            } finally {
                file.note(new ByteRange(start, at - start));
            }
        }

        private void stream() throws IOException {
            broken = null;
            InputStream in = open();
            if (in == null) {
                return;
            }
            try {
                for (int read; (read = read(in)) > 0; ) {
                    file.arrived(at, buffer, read);
                    at += read;
                    queue.arrived(read);
                }
            } finally {
                close(in);
            }
        }

        private InputStream open() {
            try {
                return file.source().open(new ByteRange(at, end - at));
            } catch (IOException failed) {
                broken = failed;
                return null;
            }
        }

        /** Returns zero or less at the end of the stream or after an error. */
        private int read(InputStream in) {
            if (at == end || queue.stopped()) {
                return 0;
            }
            try {
                return in.read(buffer, 0, (int) Math.min(buffer.length, end - at));
            } catch (IOException failed) {
                broken = failed;
                return 0;
            }
        }

        private void close(InputStream in) {
            try {
                in.close();
            } catch (IOException failed) {
                // The bytes read so far are valid; the missing ones are requested again.
                broken = failed;
            }
        }

        private RuntimeException givenUp() {
            if (broken == null) {
                return new ShortSourceException(file.source(), at);
            }
            // The store's streams wrap its exception, as InputStream allows only an IOException.
            Advice why = broken.getCause() instanceof StorageException store
                    ? new Advice(store.kind(), store.problem(), store.cure())
                    : Advice.unavailable(String.valueOf(broken.getMessage()), "");
            return why.failed(
                    "cannot read %s from byte %d on: ".formatted(file.source().name(), at), broken);
        }
    }
}
