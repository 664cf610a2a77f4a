package io.knabla.functions.compiler.onnx;

import java.nio.ByteBuffer;

/**
 * Scans a model's protobuf bytes without allocating objects and rejects models that are too expensive to parse. A 2 GB
 * file of empty nodes would otherwise fill any heap. It skips weights, therefore a large model takes no longer than a
 * small one.
 */
final class WireScan {
    /** Below protobuf's own limit of 100 nested messages. */
    private static final int MAX_MESSAGES_DEEP = 90;

    private static final int VARINT = 0;
    private static final int FIXED64 = 1;
    private static final int LENGTH = 2;
    private static final int FIXED32 = 5;

    private final ByteBuffer bytes;
    private final Limits limits;
    private int at;
    private long fields;
    private long nodes;
    private long initializers;
    private long typedBytes;
    private int graphs;
    private boolean topGraph;
    private boolean hasIrVersion;

    private WireScan(ByteBuffer bytes, Limits limits) {
        this.bytes = bytes;
        this.limits = limits;
    }

    /** Returns normally if the bytes are well-formed, contain a graph and stay within the limits. */
    static void check(ByteBuffer bytes, Limits limits) throws NotOnnxException {
        var scan = new WireScan(bytes, limits);
        scan.message(OnnxMessage.MODEL, bytes.limit(), 0);
        if (!scan.topGraph) {
            throw new NotOnnxException(ModelSniff.guess(bytes, "it is a protobuf file but holds no ONNX graph"));
        }
    }

    private void message(OnnxMessage kind, int end, int deep) throws NotOnnxException {
        if (deep > MAX_MESSAGES_DEEP) {
            throw tooMuch("nests messages deeper than " + MAX_MESSAGES_DEEP);
        }
        while (at < end) {
            if (++fields > limits.fields()) {
                throw tooMuch("has more than " + limits.fields() + " fields");
            }
            long tag = varint(end);
            int field = (int) (tag >>> 3);
            if (tag >>> 32 != 0 || field == 0) {
                throw broken();
            }
            switch ((int) tag & 7) {
                case VARINT -> {
                    long value = varint(end);
                    hasIrVersion |= deep == 0 && field == 1 && value > 0 && value < 100;
                }
                case FIXED64 -> skip(8, end);
                case FIXED32 -> skip(4, end);
                case LENGTH -> {
                    long length = varint(end);
                    if (length < 0 || length > end - at) {
                        throw broken();
                    }
                    value(kind, field, (int) length, deep);
                }
                default -> throw broken();
            }
        }
    }

    private void value(OnnxMessage kind, int field, int length, int deep) throws NotOnnxException {
        OnnxMessage child = kind.child(field);
        int end = at + length;
        count(kind, child, length);
        switch (child) {
            case OPAQUE, NUMBERS -> at = end;
            case GRAPH -> {
                if (++graphs > limits.depth() + 1) {
                    throw tooMuch("nests subgraphs deeper than " + limits.depth());
                }
                topGraph |= kind == OnnxMessage.MODEL;
                message(child, end, deep + 1);
                graphs--;
            }
            default -> message(child, end, deep + 1);
        }
    }

    private void count(OnnxMessage parent, OnnxMessage child, int length) throws NotOnnxException {
        if (child == OnnxMessage.NODE && ++nodes > limits.nodes()) {
            throw tooMuch("has more than " + limits.nodes() + " nodes");
        }
        if (child == OnnxMessage.TENSOR && parent == OnnxMessage.GRAPH && ++initializers > limits.initializers()) {
            throw tooMuch("has more than " + limits.initializers() + " initializers");
        }
        if (child == OnnxMessage.NUMBERS && (typedBytes += length) > limits.typedBytes()) {
            throw tooMuch("has more than %d MiB of numbers written one by one; save it with raw_data"
                    .formatted(limits.typedBytes() >> 20));
        }
    }

    private long varint(int end) throws NotOnnxException {
        long value = 0;
        for (int shift = 0; shift < 70; shift += 7) {
            if (at >= end) {
                throw broken();
            }
            byte b = bytes.get(at++);
            value |= (long) (b & 0x7f) << shift;
            if (b >= 0) {
                return value;
            }
        }
        throw broken();
    }

    private void skip(int count, int end) throws NotOnnxException {
        if (count > end - at) {
            throw broken();
        }
        at += count;
    }

    private NotOnnxException broken() {
        // A valid first field followed by invalid bytes means a truncated or damaged model.
        return new NotOnnxException(ModelSniff.guess(
                bytes,
                hasIrVersion
                        ? "it begins like one but breaks off or is damaged near byte %d of %d; copy it again"
                                .formatted(at, bytes.limit())
                        : "it is no protobuf message"));
    }

    private static NotOnnxException tooMuch(String what) {
        return new NotOnnxException("it " + what + ", which is beyond what Knabla accepts");
    }
}
