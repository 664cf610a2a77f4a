package io.knabla.functions.unit.safetensors;

import io.knabla.functions.unit.TensorSpec;
import io.knabla.storage.Content;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * Reads and writes <a href="https://github.com/huggingface/safetensors">safetensors</a> files. Format: eight bytes with
 * the length of a JSON header, the header, the tensors' little-endian bytes without gaps.
 */
public final class SafeTensors {
    /** Enough for about 100,000 tensors; the format itself allows 100 MB. */
    static final int MAX_HEADER = 16 << 20;

    private static final int CHUNK = 256 << 10;

    private SafeTensors() {}

    /** A tensor to write: {@code bytes} from position to limit, exactly as many as {@code spec} needs. */
    public record Values(TensorSpec spec, ByteBuffer bytes) {}

    /** Chooses the buffer that receives a tensor's bytes; null skips the tensor. */
    public interface Destination {
        ByteBuffer bufferFor(TensorEntry slot);
    }

    /** Reads the header; afterwards {@code in} is at the first tensor. */
    public static Header readHeader(InputStream in) throws IOException {
        byte[] start = in.readNBytes(Long.BYTES);
        if (start.length < Long.BYTES) {
            throw new NotSafeTensorsException("it ends within the first 8 bytes");
        }
        long length = ByteBuffer.wrap(start).order(ByteOrder.LITTLE_ENDIAN).getLong();
        if (length < 2 || length > MAX_HEADER) {
            throw new NotSafeTensorsException("its header has %s bytes, allowed are 2 to %d"
                    .formatted(Long.toUnsignedString(length), MAX_HEADER));
        }
        byte[] json = in.readNBytes((int) length);
        if (json.length < length) {
            throw new NotSafeTensorsException("it ends within its header");
        }
        Header header = HeaderJson.read(json);
        List<TensorEntry> slots = new ArrayList<>(header.entries());
        slots.sort(Comparator.comparingLong(TensorEntry::begin).thenComparingLong(TensorEntry::end));
        long expected = 0;
        for (TensorEntry slot : slots) {
            if (slot.begin() != expected) {
                throw new NotSafeTensorsException(
                        "tensor '%s' begins at byte %d, expected %d: tensors lie without holes or overlaps"
                                .formatted(slot.name(), slot.begin(), expected));
            }
            expected = slot.end();
        }
        return new Header(slots, header.metadata());
    }

    /** Reads all tensors after {@link #readHeader}; the stream must end after the last one. */
    public static void readData(InputStream in, Header header, Destination where) throws IOException {
        byte[] chunk = new byte[(int) Math.min(CHUNK, Math.max(1, header.dataBytes()))];
        for (TensorEntry slot : header.entries()) {
            ByteBuffer to = where.bufferFor(slot);
            long left = slot.bytes();
            while (left > 0) {
                int read = in.read(chunk, 0, (int) Math.min(chunk.length, left));
                if (read < 0) {
                    throw new NotSafeTensorsException("it ends within tensor '%s'".formatted(slot.name()));
                }
                if (to != null) {
                    to.put(chunk, 0, read);
                }
                left -= read;
            }
        }
        if (in.read() >= 0) {
            throw new NotSafeTensorsException("bytes follow the last tensor");
        }
    }

    /**
     * Creates a file with these tensors in this order. The buffers are read when the content is read; their positions
     * do not change.
     */
    public static Content content(List<Values> tensors, Map<String, String> metadata) {
        var slots = new ArrayList<TensorEntry>();
        var parts = new ArrayList<ByteBuffer>();
        long at = 0;
        for (Values values : tensors) {
            TensorSpec spec = values.spec();
            var slot = new TensorEntry(
                    spec.name(),
                    spec.datatype(),
                    spec.shape(),
                    at,
                    at + HeaderJson.bytes(spec.name(), spec.datatype(), spec.shape()));
            if (slot.bytes() != values.bytes().remaining()) {
                throw new IllegalArgumentException("tensor '%s' takes %d bytes, given were %d"
                        .formatted(spec.name(), slot.bytes(), values.bytes().remaining()));
            }
            slots.add(slot);
            parts.add(values.bytes());
            at = slot.end();
        }
        parts.addFirst(ByteBuffer.wrap(HeaderJson.write(new Header(slots, metadata))));
        return new BuffersContent(parts);
    }
}
