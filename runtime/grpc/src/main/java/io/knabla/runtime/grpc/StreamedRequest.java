package io.knabla.runtime.grpc;

import io.knabla.runtime.http.HttpFault;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.util.Arrays;
import java.util.Optional;

/**
 * A large {@code ModelInferRequest}: what precedes its raw tensors is read into memory, and the tensors become the end
 * of the body of {@code POST …/infer} as they arrive. So a call is limited as an HTTP request is, and takes no more
 * memory.
 */
final class StreamedRequest {
    /** A smaller message is read whole. */
    static final int LEAST_BYTES = 64 << 10;

    private static final int RAW_CONTENTS = 7;
    private static final int RAW_TAG = RAW_CONTENTS << 3 | WireReader.BYTES;

    private final MessageReader messages;
    private InferRequest parsed;
    private byte[] head = new byte[0];
    private int size;
    private boolean hasRaw;

    private StreamedRequest(MessageReader messages) {
        this.messages = messages;
    }

    /**
     * The body of a request.
     *
     * @param bytes JSON, then the tensors
     * @param jsonLength bytes of JSON before the tensors
     */
    record Body(InputStream bytes, long length, int jsonLength) {}

    /** Reads a message up to its raw tensors: up to its end if they cannot be passed on as they come. */
    static StreamedRequest read(MessageReader messages) throws IOException {
        var request = new StreamedRequest(messages);
        request.fields();
        return request;
    }

    /** The request, with all tensors that are in memory. */
    InferRequest request() {
        return parsed;
    }

    /** Whether tensors are still to come. */
    boolean isStreamed() {
        return messages.left() > 0;
    }

    /** The body of the HTTP request, whose tensors are read as they arrive. */
    Body body() {
        byte[] json = parsed.json();
        long[] sizes = parsed.rawSizes();
        long tensors = Arrays.stream(sizes).sum();
        var bytes = new SequenceInputStream(new ByteArrayInputStream(json), new Tensors(messages, sizes));
        return new Body(bytes, json.length + tensors, json.length);
    }

    private void fields() throws IOException {
        while (messages.left() > 0) {
            int before = size;
            long tag = varint();
            switch ((int) tag & 7) {
                case WireReader.VARINT -> varint();
                case WireReader.FIXED64 -> copy(Long.BYTES);
                case WireReader.FIXED32 -> copy(Integer.BYTES);
                case WireReader.BYTES -> {
                    long length = varint();
                    if (tag == RAW_TAG && !hasRaw && fits(before, length)) {
                        return;
                    }
                    hasRaw |= tag == RAW_TAG;
                    copy(length);
                }
                default -> throw WireReader.malformed();
            }
        }
        parsed = InferRequest.read(new WireReader(head, 0, size));
    }

    /** Whether the rest of the message is what the inputs so far say: their tensors, each in its size. */
    private boolean fits(int end, long first) {
        InferRequest request = InferRequest.read(new WireReader(head, 0, end));
        Optional<long[]> sizes = request.expectRaw(first);
        long rest = 0;
        for (long tensor : sizes.orElse(new long[0])) {
            rest += rest == 0 ? tensor : 1 + WireWriter.varintSize(tensor) + tensor;
        }
        boolean fits = sizes.isPresent() && sizes.get()[0] == first && rest == messages.left() && first > 0;
        if (fits) {
            parsed = request;
        }
        return fits;
    }

    private long varint() throws IOException {
        int from = size;
        do {
            copy(1);
        } while (head[size - 1] < 0 && size - from < WireWriter.LONGEST_VARINT);
        return new WireReader(head, from, size).varint();
    }

    private void copy(long bytes) throws IOException {
        if (bytes < 0 || bytes > messages.left()) {
            throw WireReader.malformed();
        }
        head = messages.append(head, size, (int) Math.min(bytes, Integer.MAX_VALUE));
        size += (int) bytes;
    }

    /** The raw tensors, without the tags and lengths between them. Read by any one thread. */
    private static final class Tensors extends InputStream {
        private final MessageReader messages;
        private final long[] sizes;
        private int next = 1;
        private long left;

        Tensors(MessageReader messages, long[] sizes) {
            this.messages = messages;
            this.sizes = sizes;
            left = sizes[0];
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] into, int from, int length) throws IOException {
            while (left == 0) {
                if (next == sizes.length) {
                    return -1;
                }
                begin();
            }
            int count = messages.read(into, from, (int) Math.min(length, left));
            if (count < 0) {
                throw new HttpFault(400, "the call ended within a message");
            }
            left -= count;
            return count;
        }

        private void begin() throws IOException {
            left = sizes[next++];
            if (!follows(RAW_TAG) || !follows(left)) {
                throw new HttpFault(
                        400,
                        "entry %d of raw_input_contents has not the %d bytes that its input's shape and datatype take"
                                .formatted(next - 1, left));
            }
        }

        /** Reads a number; whether it is this one. */
        private boolean follows(long number) throws IOException {
            byte[] one = new byte[1];
            for (long rest = number; ; rest >>>= 7) {
                if (messages.read(one, 0, 1) < 0) {
                    throw new HttpFault(400, "the call ended within a message");
                }
                boolean last = rest <= 0x7f;
                if (one[0] != (byte) (last ? rest : rest & 0x7f | 0x80)) {
                    return false;
                }
                if (last) {
                    return true;
                }
            }
        }
    }
}
