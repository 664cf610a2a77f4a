package io.knabla.runtime.generation.loop;

import io.knabla.runtime.generation.PrefixSource;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Answers when a test does. */
final class HeldSource implements PrefixSource {
    /** What is asked, in this order. */
    final BlockingQueue<Asked> asked = new LinkedBlockingQueue<>();

    final AtomicInteger cancelled = new AtomicInteger();
    volatile boolean closed;

    record Asked(int[] prompt, int first, List<ByteBuffer> room, Consumer<Fetched> done) {}

    @Override
    public Runnable fetch(int[] prompt, int first, Supplier<List<ByteBuffer>> room, Consumer<Fetched> done) {
        asked.add(new Asked(prompt, first, room.get(), done));
        return cancelled::incrementAndGet;
    }

    @Override
    public void close() {
        closed = true;
        asked.forEach(one -> one.done.accept(Fetched.FAILED));
    }
}
