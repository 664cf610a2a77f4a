package io.knabla.storage.s3.scenarios;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.knabla.storage.Content;
import java.util.Arrays;

/** Object contents with the name of the value in every block: a mixture of two values is detected. */
final class Values {
    static final String ABSENT = "";
    private static final int BLOCK = 24;
    private static final int AT_LEAST = 2 * BLOCK;

    private Values() {}

    /** @param size size in bytes, part of the name */
    static String name(String writer, int number, int size) {
        String name = "%s.%d.%d".formatted(writer, number, size);
        if (name.length() > BLOCK - 2) {
            throw new IllegalArgumentException("too long for a block: " + name);
        }
        return name;
    }

    static byte[] bytes(String name) {
        int size = Integer.parseInt(name.substring(name.lastIndexOf('.') + 1));
        byte[] block = ("<" + name + ">").getBytes(US_ASCII);
        byte[] all = new byte[size];
        for (int at = 0; at < size; at++) {
            all[at] = at % BLOCK < block.length ? block[at % BLOCK] : (byte) (0x80 | at / BLOCK);
        }
        return all;
    }

    static Content content(String name) {
        return Content.of(bytes(name));
    }

    /** Returns the minimum size of a part that {@link #recognised} can identify. */
    static int recognisable() {
        return AT_LEAST;
    }

    /**
     * Identifies the value that a part of an object belongs to.
     *
     * @throws AssertionError if it belongs to no value, or to several
     */
    static String recognised(byte[] part, long offset) {
        String text = new String(part, US_ASCII);
        int start = text.indexOf('<');
        int end = text.indexOf('>', start);
        if (start < 0 || end < 0) {
            throw new AssertionError(part.length + " bytes at " + offset + " name no value");
        }
        String name = text.substring(start + 1, end);
        byte[] whole = bytes(name);
        int to = (int) Math.min(whole.length, offset + part.length);
        if (!Arrays.equals(part, Arrays.copyOfRange(whole, (int) offset, Math.max(to, (int) offset)))) {
            throw new AssertionError(
                    "%d bytes at %d begin as %s but are not it: half-visible".formatted(part.length, offset, name));
        }
        return name;
    }

    /** Identifies the value of a whole object. */
    static String recognised(byte[] whole) {
        String name = recognised(whole, 0);
        if (whole.length != bytes(name).length) {
            throw new AssertionError("only %d bytes of %s: half-visible".formatted(whole.length, name));
        }
        return name;
    }
}
