package io.knabla.runtime.http.hpack;

import io.knabla.runtime.http.hpack.HeaderTable.Field;
import java.nio.charset.StandardCharsets;
import java.util.function.BiConsumer;

/** Decodes the header blocks of one connection, in the order received (RFC 7541). */
public final class HpackDecoder {
    /** Size of the table that a peer may fill when our settings do not say otherwise (RFC 9113, section 6.5.2). */
    private static final int TABLE_BYTES = 4096;

    /** Further bytes would overflow the number. */
    private static final int MOST_SHIFT = 21;

    private final HeaderTable table = new HeaderTable(TABLE_BYTES);
    private byte[] block;
    private int at;
    private int limit;

    /**
     * Passes each field to {@code fields}.
     *
     * @throws HpackException if the block is malformed
     */
    public void decode(byte[] bytes, int length, BiConsumer<String, String> fields) {
        block = bytes;
        at = 0;
        limit = length;
        boolean first = true;
        while (at < limit) {
            int b = bytes[at];
            if ((b & 0xe0) == 0x20) {
                if (!first) {
                    throw new HpackException("a header block changes the table after its first field");
                }
                table.resize(number(5));
                continue;
            }
            first = false;
            Field field = field(b);
            fields.accept(field.name(), field.value());
        }
    }

    private Field field(int first) {
        if ((first & 0x80) != 0) {
            return table.get(number(7));
        }
        boolean indexed = (first & 0x40) != 0;
        int name = number(indexed ? 6 : 4);
        var field = new Field(name == 0 ? string() : table.get(name).name(), string());
        if (indexed) {
            table.add(field);
        }
        return field;
    }

    /** Reads a number whose first bits are the last {@code bits} of the current byte (RFC 7541, section 5.1). */
    private int number(int bits) {
        int most = (1 << bits) - 1;
        int value = next() & most;
        if (value < most) {
            return value;
        }
        for (int shift = 0; ; shift += 7) {
            int b = next();
            if (shift > MOST_SHIFT) {
                throw new HpackException("a number in a header block is too large");
            }
            value += (b & 0x7f) << shift;
            if ((b & 0x80) == 0) {
                return value;
            }
        }
    }

    private int next() {
        if (at == limit) {
            throw new HpackException("a header block ends within a field");
        }
        return block[at++];
    }

    private String string() {
        boolean huffman = at < limit && (block[at] & 0x80) != 0;
        int size = number(7);
        if (size > limit - at) {
            throw new HpackException("a header block ends within a field");
        }
        at += size;
        return huffman
                ? HuffmanCode.decode(block, at - size, size)
                : new String(block, at - size, size, StandardCharsets.ISO_8859_1);
    }
}
