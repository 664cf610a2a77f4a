package io.knabla.controller.cost.ledger.segment;

import io.knabla.storage.file.DurableFolders;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A segment file that is being written by one thread at a time. */
final class SegmentFile implements AutoCloseable {
    private final SegmentName name;
    private final FileChannel channel;
    private long size;

    private SegmentFile(SegmentName name, FileChannel channel) {
        this.name = name;
        this.channel = channel;
    }

    /** Creates the file, and makes its name durable. */
    static SegmentFile create(SegmentName name, Path file) throws IOException {
        FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        try {
            DurableFolders.flush(file.getParent());
        } catch (IOException failed) {
            channel.close();
            throw failed;
        }
        return new SegmentFile(name, channel);
    }

    SegmentName name() {
        return name;
    }

    long size() {
        return size;
    }

    /** Returns when the bytes are on the disk. */
    void append(byte[] bytes) throws IOException {
        ByteBuffer left = ByteBuffer.wrap(bytes);
        while (left.hasRemaining()) {
            size += channel.write(left);
        }
        channel.force(false);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
