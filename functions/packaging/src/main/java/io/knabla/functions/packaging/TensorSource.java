package io.knabla.functions.packaging;

import ai.onnx.proto.OnnxMl.TensorProto;
import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.knabla.functions.compiler.onnx.ElementType;
import io.knabla.functions.compiler.onnx.TensorProtos;
import io.knabla.storage.Content;
import io.knabla.storage.LimitedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/** Source of a checked tensor's bytes, in the layout of {@code raw_data} and external data. */
sealed interface TensorSource extends Content {
    /** Mapping costs a page and a system call; copying fewer bytes is cheaper. */
    int WORTH_MAPPING = 64 << 10;

    /** All bytes; large sources are mapped instead of copied to the heap. */
    default ByteString bytes() throws IOException {
        try (InputStream in = open()) {
            return ByteString.readFrom(in);
        }
    }

    /** The bytes of {@code raw_data}. */
    record Raw(ByteString bytes) implements TensorSource {
        @Override
        public long size() {
            return bytes.size();
        }

        @Override
        public InputStream open() {
            return bytes.newInput();
        }
    }

    /** A part of an external data file. */
    record FilePart(Path file, long offset, long size) implements TensorSource {
        @Override
        public InputStream open() throws IOException {
            FileChannel channel = FileChannel.open(file);
            channel.position(offset);
            return new LimitedInputStream(Channels.newInputStream(channel), size);
        }

        @Override
        public ByteString bytes() throws IOException {
            if (size < WORTH_MAPPING) {
                return TensorSource.super.bytes();
            }
            try (FileChannel channel = FileChannel.open(file)) {
                return UnsafeByteOperations.unsafeWrap(channel.map(FileChannel.MapMode.READ_ONLY, offset, size));
            }
        }
    }

    /** Elements in a typed field such as {@code float_data}. */
    record Typed(TensorProto tensor, long size) implements TensorSource {
        /** Expects a checked tensor. */
        static Typed of(TensorProto tensor) {
            return new Typed(
                    tensor,
                    TensorProtos.element(tensor)
                            .bytes(TensorProtos.elements(tensor).orElseThrow()));
        }

        @Override
        public InputStream open() {
            return toRaw().newInput();
        }

        ByteString toRaw() {
            ByteBuffer out = ByteBuffer.allocate((int) size).order(ByteOrder.LITTLE_ENDIAN);
            switch (TensorProtos.element(tensor)) {
                case FLOAT, COMPLEX64 -> tensor.getFloatDataList().forEach(out::putFloat);
                case DOUBLE, COMPLEX128 -> tensor.getDoubleDataList().forEach(out::putDouble);
                case INT64 -> tensor.getInt64DataList().forEach(out::putLong);
                case UINT64 -> tensor.getUint64DataList().forEach(out::putLong);
                case UINT32 -> tensor.getUint64DataList().forEach(v -> out.putInt(v.intValue()));
                case INT32 -> tensor.getInt32DataList().forEach(out::putInt);
                case INT16, UINT16, FLOAT16, BFLOAT16 ->
                    tensor.getInt32DataList().forEach(v -> out.putShort(v.shortValue()));
                case INT8, UINT8, BOOL, FLOAT8E4M3FN, FLOAT8E4M3FNUZ, FLOAT8E5M2, FLOAT8E5M2FNUZ, FLOAT8E8M0 ->
                    tensor.getInt32DataList().forEach(v -> out.put(v.byteValue()));
                case UNDEFINED, STRING, UINT4, INT4, FLOAT4E2M1, UINT2, INT2 ->
                    throw new IllegalStateException("kept inline: " + tensor.getDataType());
            }
            return ByteString.copyFrom(out.flip());
        }

        /** Number of elements that the file must have, or -1 for types that stay inline. */
        static long expected(ElementType type, long elements) {
            return switch (type) {
                case COMPLEX64, COMPLEX128 -> 2 * elements;
                case UNDEFINED, UINT4, INT4, FLOAT4E2M1, UINT2, INT2 -> -1;
                default -> elements;
            };
        }

        static long present(TensorProto tensor) {
            return switch (TensorProtos.element(tensor)) {
                case FLOAT, COMPLEX64 -> tensor.getFloatDataCount();
                case DOUBLE, COMPLEX128 -> tensor.getDoubleDataCount();
                case INT64 -> tensor.getInt64DataCount();
                case UINT64, UINT32 -> tensor.getUint64DataCount();
                case STRING -> tensor.getStringDataCount();
                default -> tensor.getInt32DataCount();
            };
        }
    }

    /** Data that stays in the graph: strings, and sub-byte types with their own packing. */
    record Inline() implements TensorSource {
        @Override
        public long size() {
            return 0;
        }

        @Override
        public InputStream open() {
            return InputStream.nullInputStream();
        }
    }
}
