package io.knabla.runtime.generation.loop;

import io.knabla.runtime.generation.PrefixSource;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Answers when a test does. */
final class HeldSource implements PrefixSource {
    /** What is asked, in this order. */
    final BlockingQueue<Asked> asked = new LinkedBlockingQueue<>();

    volatile boolean closed;

    record Asked(int[] prompt, int first, List<ByteBuffer> room, Consumer<Fetched> done) {}

    @Override
    public void fetch(int[] prompt, int first, Supplier<List<ByteBuffer>> room, Consumer<Fetched> done) {
        asked.add(new Asked(prompt, first, room.get(), done));
    }

    @Override
    public void close() {
        closed = true;
        asked.forEach(one -> one.done.accept(Fetched.FAILED));
    }
}
