package io.knabla.runtime.generation.decode;

import io.knabla.functions.unit.generation.DecoderShape;
import io.knabla.runtime.engine.DecoderInputs;
import io.knabla.runtime.engine.DecoderSession;
import io.knabla.runtime.engine.KeyValueWindow;
import io.knabla.runtime.engine.ReservedMemory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.LongStream;

/** Decoder whose graph runs in ONNX Runtime. */
public final class OnnxDecoder implements Decoder {
    private final DecoderShape shape;
    private final int positions;
    private final DecoderSession session;
    private final KeyValueSlots slots;
    private final ByteBuffer logits;
    private final Map<Slots, KeyValueWindow> windows = new HashMap<>();
    private int leastRows = 1;
    private long runs;

    private record Slots(int from, int count) {}

    private record Saved(ReservedMemory memory, int count) implements SavedTokens {
        @Override
        public ByteBuffer bytes() {
            return memory.segment().asByteBuffer();
        }

        @Override
        public void close() {
            memory.close();
        }
    }

    /**
     * Sizes of a decoder.
     *
     * @param slots 2 or more
     * @param positions most tokens of a slot
     * @param draftTokens most tokens that are verified after a slot's next one; 0 or more
     */
    public record Size(int slots, int positions, int draftTokens) {
        private int logitRows() {
            return Math.max(slots, 1 + draftTokens);
        }
    }

    private OnnxDecoder(DecoderShape shape, Size size, DecoderSession session) {
        this.shape = shape;
        this.positions = size.positions();
        this.session = session;
        this.slots = new KeyValueSlots(shape, size.slots(), size.positions());
        long bytes = (long) size.logitRows() * shape.vocabulary() * Float.BYTES;
        this.logits = ByteBuffer.allocateDirect(Math.toIntExact(bytes)).order(ByteOrder.nativeOrder());
    }

    /**
     * @param threads inside one run
     * @throws io.knabla.runtime.engine.EngineException if the engine cannot load the graph
     */
    public static OnnxDecoder open(Path graph, DecoderShape shape, Size size, int threads) {
        DecoderSession session = DecoderSession.open(graph, shape, threads);
        try {
            var decoder = new OnnxDecoder(shape, size, session);
            decoder.compareRows();
            return decoder;
        } catch (RuntimeException | Error noMemory) {
            session.close();
            throw noMemory;
        }
    }

    /** With 4-bit weights, the engine's product of one row can round otherwise than that of several. */
    private void compareRows() {
        int token = shape.vocabulary() / 2;
        decode(new int[] {token}, new int[] {0});
        float[] alone = new float[shape.vocabulary()];
        logits(0, alone);
        decode(new int[] {token, token}, new int[] {0, 0});
        float[] beside = new float[shape.vocabulary()];
        logits(0, beside);
        leastRows = Arrays.equals(alone, beside) ? 1 : 2;
        runs = 0;
    }

    @Override
    public int leastRows() {
        return leastRows;
    }

    @Override
    public void prefill(int slot, int length, int[] tokens, boolean wanted) {
        long[] rows = wanted ? new long[] {tokens.length - 1} : new long[0];
        run(new Slots(slot, 1), tokens, new int[] {length + tokens.length}, rows);
    }

    @Override
    public void verify(int slot, int length, int[] tokens) {
        long[] rows = LongStream.range(0, tokens.length).toArray();
        run(new Slots(slot, 1), tokens, new int[] {length + tokens.length}, rows);
    }

    @Override
    public void decode(int[] tokens, int[] lengths) {
        int[] longer = lengths.clone();
        long[] rows = new long[longer.length];
        for (int i = 0; i < longer.length; i++) {
            longer[i]++;
            rows[i] = i;
        }
        run(new Slots(0, longer.length), tokens, longer, rows);
    }

    private void run(Slots part, int[] tokens, int[] lengths, long[] rows) {
        long[] ids = new long[tokens.length];
        for (int i = 0; i < ids.length; i++) {
            ids[i] = tokens[i];
        }
        runs++;
        session.run(new DecoderInputs(ids, lengths, rows), windows.computeIfAbsent(part, this::bind), logits);
    }

    private KeyValueWindow bind(Slots part) {
        return session.bind(slots.window(part.from(), part.count()), part.count(), positions);
    }

    @Override
    public void logits(int row, float[] into) {
        logits.asFloatBuffer().get(row * shape.vocabulary(), into, 0, shape.vocabulary());
    }

    @Override
    public void move(int from, int to, int length) {
        slots.move(from, to, length);
    }

    @Override
    public SavedTokens copyOut(int slot, int from, int count) {
        return new Saved(slots.copyOut(slot, from, count), count);
    }

    @Override
    public SavedTokens reserve(int count) {
        return new Saved(slots.reserve(count), count);
    }

    @Override
    public void copyIn(SavedTokens saved, int slot, int from) {
        if (!(saved instanceof Saved(var memory, var count))) {
            throw new IllegalArgumentException("saved by another kind of decoder");
        }
        slots.copyIn(memory, slot, from, count);
    }

    @Override
    public void release(int slot) {
        slots.release(slot);
    }

    @Override
    public long runs() {
        return runs;
    }

    @Override
    public void close() {
        windows.values().forEach(KeyValueWindow::close);
        session.close();
        slots.close();
    }
}
