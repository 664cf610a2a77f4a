package io.knabla.runtime.http;

import java.io.IOException;

/**
 * What one SETTINGS frame of a peer changes (RFC 9113, section 6.5). If it gives a setting several times, the last
 * value counts, and no other is applied.
 *
 * @param table whether the limit of the table for header compression changes
 * @param window first size of the windows of streams; -1 if it does not change
 */
record PeerSettings(boolean table, int window) {
    /** Bytes of one setting. */
    static final int BYTES = 6;

    private static final int LARGEST_FRAME = (1 << 24) - 1;

    /**
     * Reads {@code length} bytes of settings.
     *
     * @throws Http2Error if one has a value that it cannot have
     */
    static PeerSettings read(Http2Input in, int length) throws IOException {
        boolean table = false;
        int window = -1;
        for (int i = 0; i < length; i += BYTES) {
            int setting = in.number(2);
            int value = in.number(4);
            check(setting, value);
            table |= setting == Http2Frame.HEADER_TABLE_SIZE;
            window = setting == Http2Frame.INITIAL_WINDOW_SIZE ? value : window;
        }
        return new PeerSettings(table, window);
    }

    private static void check(int setting, int value) {
        switch (setting) {
            case Http2Frame.ENABLE_PUSH -> {
                if (value != 0 && value != 1) {
                    throw Http2Input.protocol("ENABLE_PUSH is neither 0 nor 1");
                }
            }
            case Http2Frame.INITIAL_WINDOW_SIZE -> {
                if (value < 0) {
                    throw new Http2Error(Http2Error.FLOW_CONTROL_ERROR, "a window is larger than 2^31-1 bytes");
                }
            }
            case Http2Frame.MAX_FRAME_SIZE -> {
                if (value < Http2Output.FRAME || value > LARGEST_FRAME) {
                    throw Http2Input.protocol("MAX_FRAME_SIZE is not between 2^14 and 2^24-1");
                }
            }
            default -> {
                // Settings that are unknown, or limit what this server does not send, are ignored.
            }
        }
    }
}
