package io.knabla.controller.cost.ledger.segment;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * Frames payloads so that a reader knows which are whole: magic number, length of the payload, CRC-32C of length and
 * payload, payload; numbers of 4 bytes, big-endian. After a frame that is not whole the reader looks for the next one.
 */
public final class RecordFraming {
    /** Not valid UTF-8, so no text contains it. */
    private static final int MAGIC = 0xF54B4CFF;

    static final int HEADER = 12;

    /** The frame without a payload, behind the last one of a segment that is complete. */
    static final byte[] END = encode(new byte[0]);

    private RecordFraming() {}

    /**
     * What a segment's bytes hold.
     *
     * @param payloads of the whole frames, in order
     * @param gaps damage that a whole frame follows: these bytes had been acknowledged
     * @param end offset behind the last whole frame; what follows is a torn tail, or damage to the last frames
     * @param complete whether the end mark is the last whole frame
     * @param torn whether what follows is the beginning of one frame: a write that was not finished
     */
    public record Scan(List<byte[]> payloads, List<Gap> gaps, int end, boolean complete, boolean torn) {}

    /**
     * Bytes that are no whole frame.
     *
     * @param from offset of the first of them
     */
    public record Gap(int from, int bytes) {}

    public static byte[] encode(byte[] payload) {
        ByteBuffer frame = ByteBuffer.allocate(HEADER + payload.length);
        frame.putInt(MAGIC).putInt(payload.length).putInt(checksum(payload.length, payload, 0));
        return frame.put(payload).array();
    }

    public static Scan scan(byte[] bytes) {
        List<byte[]> payloads = new ArrayList<>();
        List<Gap> gaps = new ArrayList<>();
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        int end = 0;
        for (int at = next(buffer, 0); at >= 0; at = next(buffer, end)) {
            if (at > end) {
                gaps.add(new Gap(end, at - end));
            }
            int length = buffer.getInt(at + 4);
            byte[] payload = new byte[length];
            buffer.get(at + HEADER, payload);
            payloads.add(payload);
            end = at + HEADER + length;
        }
        boolean complete = !payloads.isEmpty() && payloads.getLast().length == 0;
        return new Scan(payloads, gaps, end, complete, isBegun(buffer.slice(end, bytes.length - end)));
    }

    /** Of a killed writer the disk has a part of one frame at most: fewer bytes than its header announces. */
    private static boolean isBegun(ByteBuffer tail) {
        int magic = Math.min(tail.limit(), Integer.BYTES);
        boolean isFrame = tail.slice(0, magic).equals(ByteBuffer.wrap(END, 0, magic));
        return isFrame && magic > 0 && (tail.limit() < HEADER || tail.getInt(4) > tail.limit() - HEADER);
    }

    /** Joins frames to one array. */
    static byte[] join(List<byte[]> frames) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        frames.forEach(all::writeBytes);
        return all.toByteArray();
    }

    private static int next(ByteBuffer bytes, int from) {
        for (int at = from; at <= bytes.limit() - HEADER; at++) {
            if (bytes.getInt(at) == MAGIC && isWhole(bytes, at)) {
                return at;
            }
        }
        return -1;
    }

    private static boolean isWhole(ByteBuffer bytes, int at) {
        int length = bytes.getInt(at + 4);
        boolean fits = length >= 0 && length <= bytes.limit() - at - HEADER;
        return fits && bytes.getInt(at + 8) == checksum(length, bytes.array(), at + HEADER);
    }

    private static int checksum(int length, byte[] bytes, int offset) {
        CRC32C crc = new CRC32C();
        crc.update(ByteBuffer.allocate(4).putInt(0, length));
        crc.update(bytes, offset, length);
        return (int) crc.getValue();
    }
}
