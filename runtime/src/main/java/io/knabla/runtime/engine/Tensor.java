package io.knabla.runtime.engine;

import ai.onnxruntime.OnnxTensor;
import io.knabla.functions.unit.DataType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * A named, shaped block of values. Numbers lie in {@link #data} in the machine's byte order, which on every supported
 * platform is the protocol's little-endian; {@code BYTES} lie in {@link #strings}. Whoever holds a tensor owns it: it
 * is not safe for use by several threads.
 */
public final class Tensor {
    private final String name;
    private final DataType type;
    private final long[] shape;
    private final ByteBuffer data;
    private final String[] strings;

    /** The engine's own handle on {@link #data}, made at first use and kept while pooled. */
    OnnxTensor handle;

    private Tensor(String name, DataType type, long[] shape, ByteBuffer data, String[] strings) {
        this.name = name;
        this.type = type;
        this.shape = shape;
        this.data = data;
        this.strings = strings;
    }

    /** A tensor of numbers over {@code data}, from its position to its limit. */
    public static Tensor numbers(String name, DataType type, long[] shape, ByteBuffer data) {
        return new Tensor(name, type, shape, data.order(ByteOrder.LITTLE_ENDIAN), null);
    }

    /** A tensor of texts, which the protocol calls BYTES. */
    public static Tensor texts(String name, long[] shape, String[] strings) {
        return new Tensor(name, DataType.BYTES, shape, null, strings);
    }

    public String name() {
        return name;
    }

    public DataType type() {
        return type;
    }

    public long[] shape() {
        return shape;
    }

    /** The numbers; null for {@code BYTES}. */
    public ByteBuffer data() {
        return data;
    }

    /** The texts; null for all but {@code BYTES}. */
    public String[] strings() {
        return strings;
    }

    public int elements() {
        return strings != null ? strings.length : data.remaining() / type.bytes();
    }

    boolean hasShape(long[] other) {
        return Arrays.equals(shape, other);
    }

    /** Gives the engine's handle back; the bytes stay readable. */
    public void close() {
        if (handle != null) {
            handle.close();
            handle = null;
        }
    }
}
