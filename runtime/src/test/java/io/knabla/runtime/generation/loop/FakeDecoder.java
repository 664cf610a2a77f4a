package io.knabla.runtime.generation.loop;

import io.knabla.runtime.generation.decode.Decoder;
import io.knabla.runtime.generation.decode.SavedTokens;
import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.IntStream;

/** Decoder whose logits are a function of all tokens of a slot; checks that it is told the right lengths. */
final class FakeDecoder implements Decoder {
    /** A run takes one of them. */
    final Semaphore permits = new Semaphore(0);

    private final Function<List<Integer>, float[]> model;
    private final Map<Integer, List<Integer>> slots = new HashMap<>();
    private List<float[]> rows = List.of();
    private volatile long runs;
    private final AtomicInteger open = new AtomicInteger();
    private int saved;
    private volatile boolean failing;
    private volatile boolean unclosable;

    /** Each token is a whole number. */
    private record Saved(ByteBuffer bytes, AtomicInteger open) implements SavedTokens {

        @Override
        public ByteBuffer bytes() {
            return bytes.duplicate();
        }

        @Override
        public int count() {
            return bytes.capacity() / Integer.BYTES;
        }

        @Override
        public void close() {
            open.decrementAndGet();
        }
    }

    FakeDecoder(Function<List<Integer>, float[]> model) {
        this.model = model;
    }

    /** A decoder whose runs need no permits. */
    static FakeDecoder running(Function<List<Integer>, float[]> model) {
        var decoder = new FakeDecoder(model);
        decoder.permits.release(Integer.MAX_VALUE / 2);
        return decoder;
    }

    /** The next run fails, as do all after it. */
    void fail() {
        failing = true;
    }

    /** Closing it will fail. */
    void failToClose() {
        unclosable = true;
    }

    int saved() {
        return saved;
    }

    /** Saved parts that are not closed. */
    int open() {
        return open.get();
    }

    @Override
    public void prefill(int slot, int length, int[] tokens, boolean logits) {
        start();
        append(slot, length, tokens);
        rows = logits ? List.of(model.apply(slots.get(slot))) : List.of();
    }

    @Override
    public void verify(int slot, int length, int[] tokens) {
        start();
        append(slot, length, tokens);
        List<Integer> all = slots.get(slot);
        rows = IntStream.rangeClosed(length + 1, all.size())
                .mapToObj(end -> model.apply(all.subList(0, end)))
                .toList();
    }

    @Override
    public void decode(int[] tokens, int[] lengths) {
        start();
        rows = new ArrayList<>();
        for (int slot = 0; slot < tokens.length; slot++) {
            append(slot, lengths[slot], tokens[slot]);
            rows.add(model.apply(slots.get(slot)));
        }
    }

    private void start() {
        permits.acquireUninterruptibly();
        runs++;
        if (failing) {
            throw new IllegalStateException("broken");
        }
    }

    private void append(int slot, int length, int... tokens) {
        List<Integer> all = new ArrayList<>(first(slot, length));
        Arrays.stream(tokens).forEach(all::add);
        slots.put(slot, all);
    }

    private List<Integer> first(int slot, int length) {
        List<Integer> all = slots.getOrDefault(slot, List.of());
        if (all.size() < length) {
            throw new AssertionError("slot %d holds %d tokens, not %d".formatted(slot, all.size(), length));
        }
        return all.subList(0, length);
    }

    @Override
    public int leastRows() {
        return 2;
    }

    @Override
    public void logits(int row, float[] into) {
        System.arraycopy(rows.get(row), 0, into, 0, into.length);
    }

    @Override
    public void move(int from, int to, int length) {
        slots.put(to, new ArrayList<>(first(from, length)));
        slots.remove(from);
    }

    @Override
    public SavedTokens copyOut(int slot, int from, int count) {
        saved++;
        SavedTokens copy = reserve(count);
        first(slot, from + count)
                .subList(from, from + count)
                .forEach(copy.bytes().asIntBuffer()::put);
        return copy;
    }

    @Override
    public SavedTokens reserve(int count) {
        open.incrementAndGet();
        return new Saved(ByteBuffer.allocate(count * Integer.BYTES), open);
    }

    @Override
    public void copyIn(SavedTokens copy, int slot, int from) {
        List<Integer> tokens = slots.computeIfAbsent(slot, _ -> new ArrayList<>());
        IntBuffer copied = copy.bytes().asIntBuffer();
        while (tokens.size() < from + copied.remaining()) {
            tokens.add(-1);
        }
        for (int i = 0; i < copied.remaining(); i++) {
            tokens.set(from + i, copied.get(i));
        }
    }

    @Override
    public void release(int slot) {
        slots.remove(slot);
    }

    @Override
    public long runs() {
        return runs;
    }

    @Override
    public void close() {
        permits.release(Integer.MAX_VALUE / 4);
        if (unclosable) {
            throw new IllegalStateException("cannot be closed");
        }
    }
}
