package io.knabla.runtime.http;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import java.util.zip.ZipException;

/**
 * Inflates data in the format of gzip: one or more members, and nothing behind them (RFC 1952). The JDK's stream calls
 * itself for each empty member, and ignores up to 26 bytes behind the last one.
 */
final class GzipMembers extends InputStream {
    /** The first two bytes of a member. */
    private static final int ID1 = 0x1f;

    private static final int ID2 = 0x8b;
    private static final int DEFLATED = 8;

    /** Flags of a member's header. */
    private static final int HEADER_CRC = 2;

    private static final int EXTRA = 4;
    private static final int NAME = 8;
    private static final int COMMENT = 16;
    private static final int RESERVED = 0xe0;

    private final InputStream in;
    private final Inflater inflater = new Inflater(true);
    private final CRC32 crc = new CRC32();
    private final byte[] packed;
    private int at;
    private int end;
    private boolean inMember;
    private boolean begun;

    /** @param piece bytes of {@code in} that are read at a time */
    GzipMembers(InputStream in, int piece) {
        this.in = in;
        packed = new byte[piece];
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int from, int length) throws IOException {
        while (length > 0) {
            if (!inMember && !begin()) {
                return -1;
            }
            int count = inflate(into, from, length);
            if (count > 0) {
                crc.update(into, from, count);
                return count;
            }
            if (inflater.finished()) {
                trailer();
            } else {
                refill();
            }
        }
        return 0;
    }

    private int inflate(byte[] into, int from, int length) throws ZipException {
        try {
            return inflater.inflate(into, from, length);
        } catch (DataFormatException malformed) {
            throw new ZipException(String.valueOf(malformed.getMessage()));
        }
    }

    private void refill() throws IOException {
        if (inflater.needsDictionary() || !fill()) {
            throw new EOFException("it ends within a member");
        }
        inflater.setInput(packed, 0, end);
    }

    private boolean fill() throws IOException {
        at = 0;
        end = Math.max(0, in.read(packed, 0, packed.length));
        return end > 0;
    }

    /** Reads the header of the next member; false if there is none. */
    private boolean begin() throws IOException {
        if (begun && at == end && !fill()) {
            return false;
        }
        if (next(1) != ID1 || next(1) != ID2 || next(1) != DEFLATED) {
            throw new ZipException(begun ? "something follows its compressed data" : "it is not in the format of gzip");
        }
        header((int) next(1));
        inflater.reset();
        inflater.setInput(packed, at, end - at);
        crc.reset();
        begun = true;
        inMember = true;
        return true;
    }

    private void header(int flags) throws IOException {
        if ((flags & RESERVED) != 0) {
            throw new ZipException("a header has flags that gzip does not know");
        }
        // Time, kind of compression, system.
        skip(6);
        if ((flags & EXTRA) != 0) {
            skip((int) next(2));
        }
        for (int text = NAME; text <= COMMENT; text <<= 1) {
            while ((flags & text) != 0 && next(1) != 0) {
                // It ends with a zero.
            }
        }
        if ((flags & HEADER_CRC) != 0) {
            skip(2);
        }
    }

    private void trailer() throws IOException {
        at = end - inflater.getRemaining();
        if (next(4) != crc.getValue() || next(4) != (inflater.getBytesWritten() & 0xffff_ffffL)) {
            throw new ZipException("its checksum or its length is another");
        }
        inMember = false;
    }

    private void skip(int bytes) throws IOException {
        for (int i = 0; i < bytes; i++) {
            next(1);
        }
    }

    /** A number of so many bytes, the least significant first. */
    private long next(int bytes) throws IOException {
        long value = 0;
        for (int i = 0; i < bytes; i++) {
            if (at == end && !fill()) {
                throw new EOFException("it ends within a header or a trailer");
            }
            value |= (packed[at++] & 0xffL) << Byte.SIZE * i;
        }
        return value;
    }

    @Override
    public void close() throws IOException {
        inflater.end();
        in.close();
    }
}
