package io.knabla.controller.cost.ledger.segment;

import io.knabla.storage.StorageException;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Opens the segments of usage at the first call that needs them, and after a failure tries again at the next call.
 * Damaged usage thus fails only those who record or report it, and never keeps the platform from starting.
 */
public final class LazySegments implements Segments {
    private final Supplier<Segments> opener;
    private Segments opened;
    private boolean closed;

    /** @param opener throws a {@link StorageException} if they cannot be opened */
    public LazySegments(Supplier<Segments> opener) {
        this.opener = opener;
    }

    private synchronized Segments opened() {
        if (closed) {
            throw new StorageException(StorageException.Kind.UNAVAILABLE, "the usage ledger is closed.", "");
        }
        opened = opened == null ? opener.get() : opened;
        return opened;
    }

    @Override
    public Listing list() {
        return opened().list();
    }

    @Override
    public Optional<SegmentContents> read(SegmentName name) {
        return opened().read(name);
    }

    @Override
    public void append(byte[] frames) {
        opened().append(frames);
    }

    @Override
    public List<SegmentName> ended() {
        return opened().ended();
    }

    @Override
    public void delete(SegmentName name) {
        opened().delete(name);
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (opened != null) {
            opened.close();
        }
    }
}
