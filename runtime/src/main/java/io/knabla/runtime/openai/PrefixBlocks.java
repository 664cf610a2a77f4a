package io.knabla.runtime.openai;

import io.knabla.runtime.generation.PrefixExport;
import java.nio.ByteBuffer;
import java.util.List;

/** Holds keys and values of one prompt until they are sent; closing it frees them, also those that come later. */
final class PrefixBlocks implements PrefixExport, AutoCloseable {
    private final int first;
    private List<ByteBuffer> blocks = List.of();
    private Runnable free = () -> {};
    private boolean closed;

    PrefixBlocks(int first) {
        this.first = first;
    }

    @Override
    public int first() {
        return first;
    }

    @Override
    public synchronized void take(List<ByteBuffer> read, Runnable whenSent) {
        if (closed) {
            whenSent.run();
        } else {
            blocks = read;
            free = whenSent;
        }
    }

    /** What was read; to be used until this is closed. */
    synchronized List<ByteBuffer> blocks() {
        return blocks;
    }

    @Override
    public synchronized void close() {
        closed = true;
        blocks = List.of();
        free.run();
        free = () -> {};
    }
}
