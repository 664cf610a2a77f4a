package io.knabla.runtime.generation.loop;

import io.knabla.runtime.generation.GenerationEvent.Finished;
import io.knabla.runtime.generation.Generator;
import io.knabla.runtime.generation.PrefixExport;
import io.knabla.runtime.generation.PrefixSource;
import io.knabla.runtime.generation.Submission;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Has prompts read by another generator of this process. */
final class ReaderSource implements PrefixSource {
    final AtomicInteger asked = new AtomicInteger();

    private final Generator reader;

    ReaderSource(Generator reader) {
        this.reader = reader;
    }

    private static final class Copy implements PrefixExport {
        private final int first;
        private final List<ByteBuffer> room;
        private int blocks;

        Copy(int first, List<ByteBuffer> room) {
            this.first = first;
            this.room = room;
        }

        @Override
        public int first() {
            return first;
        }

        @Override
        public void take(List<ByteBuffer> read, Runnable free) {
            blocks = read.size();
            for (int i = 0; i < blocks; i++) {
                room.get(i).put(read.get(i));
            }
            free.run();
        }
    }

    @Override
    public Runnable fetch(int[] prompt, int first, Supplier<List<ByteBuffer>> room, Consumer<Fetched> done) {
        asked.incrementAndGet();
        Thread.ofVirtual().start(() -> done.accept(fetched(prompt, new Copy(first, room.get()))));
        return () -> {};
    }

    private Fetched fetched(int[] prompt, Copy copy) {
        try {
            return reader.read(prompt, copy) instanceof Submission.Accepted(var reading)
                            && reading.next() instanceof Finished finished
                    ? new Fetched(copy.blocks, finished.usage().cached(), false)
                    : Fetched.FAILED;
        } catch (InterruptedException stopping) {
            return Fetched.FAILED;
        }
    }

    @Override
    public void close() {}
}
