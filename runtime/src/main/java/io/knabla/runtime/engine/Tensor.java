package io.knabla.runtime.engine;

import ai.onnxruntime.OnnxTensor;
import io.knabla.functions.unit.DataType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Collection;

/**
 * Named tensor with a type and a shape. Numbers are in {@link #data}, little-endian as in the protocol and on every
 * supported platform; {@code BYTES} are in {@link #texts}, each in UTF-8. Has one owner at a time; not thread-safe.
 */
public final class Tensor {
    private final String name;
    private final DataType type;
    private final long[] shape;
    private final ByteBuffer data;
    private final byte[][] texts;

    boolean borrowed;

    /** The engine's handle on {@link #data}; created on first use, kept while pooled. */
    OnnxTensor handle;

    private Tensor(String name, DataType type, long[] shape, ByteBuffer data, byte[][] texts) {
        this.name = name;
        this.type = type;
        this.shape = shape;
        this.data = data;
        this.texts = texts;
    }

    /** Wraps {@code data}, from its position to its limit, as a tensor of numbers. */
    public static Tensor numbers(String name, DataType type, long[] shape, ByteBuffer data) {
        return new Tensor(name, type, shape, data.order(ByteOrder.LITTLE_ENDIAN), null);
    }

    /** Wraps memory that belongs to somebody else, which must not be used for another request. */
    public static Tensor borrowed(String name, DataType type, long[] shape, ByteBuffer data) {
        Tensor tensor = numbers(name, type, shape, data);
        tensor.borrowed = true;
        return tensor;
    }

    /** A tensor of texts in UTF-8, which is datatype BYTES in the protocol. */
    public static Tensor texts(String name, long[] shape, byte[][] texts) {
        return new Tensor(name, DataType.BYTES, shape, null, texts);
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

    /** The texts in UTF-8; null for all but {@code BYTES}. */
    public byte[][] texts() {
        return texts;
    }

    public int elements() {
        return texts != null ? texts.length : data.remaining() / type.bytes();
    }

    /** Elements of all these tensors. */
    public static long elements(Collection<Tensor> tensors) {
        long sum = 0;
        for (Tensor tensor : tensors) {
            sum += tensor.elements();
        }
        return sum;
    }

    /** The same numbers, or texts, in memory that outlives what the engine or a pool lends. */
    Tensor onHeap() {
        if (texts != null || !data.isDirect()) {
            return this;
        }
        ByteBuffer bytes = ByteBuffer.allocate(data.remaining());
        bytes.put(data.duplicate()).flip();
        return numbers(name, type, shape, bytes);
    }

    boolean hasShape(long[] other) {
        return Arrays.equals(shape, other);
    }

    /** Frees the engine's handle; the data stays readable. */
    public void close() {
        if (handle != null) {
            handle.close();
            handle = null;
        }
    }
}
