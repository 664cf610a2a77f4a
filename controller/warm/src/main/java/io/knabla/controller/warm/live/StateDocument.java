package io.knabla.controller.warm.live;

import io.knabla.controller.warm.policy.SavedState;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/** Writes the states of all functions as one compressed document with a checksum, about 1 KB for each. */
public final class StateDocument {
    private static final int VERSION = 2;
    private static final int MOST_VALUES = 1 << 16;

    private StateDocument() {}

    public static byte[] write(Map<String, LivePolicyState> states) {
        var bytes = new ByteArrayOutputStream();
        try (var out = new DataOutputStream(new GZIPOutputStream(bytes))) {
            out.writeInt(VERSION);
            out.writeInt(states.size());
            for (var state : states.entrySet()) {
                out.writeUTF(state.getKey());
                write(out, state.getValue());
            }
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return bytes.toByteArray();
    }

    private static void write(DataOutputStream out, LivePolicyState state) throws IOException {
        out.writeInt(state.idleSince().length);
        for (long since : state.idleSince()) {
            out.writeLong(since);
        }
        out.writeInt(state.policy().version());
        out.writeUTF(state.policy().policy());
        out.writeInt(state.policy().values().length);
        for (double value : state.policy().values()) {
            out.writeDouble(value);
        }
    }

    /** @throws IOException if the document is damaged, or of another version */
    public static Map<String, LivePolicyState> read(byte[] document) throws IOException {
        try (var in = new DataInputStream(new GZIPInputStream(new ByteArrayInputStream(document)))) {
            if (in.readInt() != VERSION) {
                throw new IOException("it is of another version");
            }
            Map<String, LivePolicyState> states = new TreeMap<>();
            int count = in.readInt();
            for (int i = 0; i < count; i++) {
                states.put(in.readUTF(), state(in));
            }
            if (in.read() >= 0) {
                throw new IOException("it is longer than its content");
            }
            return states;
        }
    }

    private static LivePolicyState state(DataInputStream in) throws IOException {
        long[] idleSince = new long[length(in)];
        for (int i = 0; i < idleSince.length; i++) {
            idleSince[i] = in.readLong();
        }
        int version = in.readInt();
        String policy = in.readUTF();
        double[] values = new double[length(in)];
        for (int i = 0; i < values.length; i++) {
            values[i] = in.readDouble();
            if (!Double.isFinite(values[i])) {
                throw new IOException("a value is not finite");
            }
        }
        return new LivePolicyState(idleSince, new SavedState(version, policy, values));
    }

    private static int length(DataInputStream in) throws IOException {
        int length = in.readInt();
        if (length < 0 || length > MOST_VALUES) {
            throw new IOException("a list has %d values".formatted(length));
        }
        return length;
    }
}
