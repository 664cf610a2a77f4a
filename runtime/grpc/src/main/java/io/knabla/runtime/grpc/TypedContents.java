package io.knabla.runtime.grpc;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.LongConsumer;

/** Turns {@code InferTensorContents}, a list of typed elements, into the bytes of a binary tensor. */
final class TypedContents {
    /** Kind of the elements, by which of the fields they come in. */
    private enum Kind {
        VARINT,
        FIXED,
        TEXT
    }

    /** @param field of the message; @param bytes of an element, 0 for texts */
    private record Form(int field, Kind kind, int bytes) {}

    private static final String[] NAMES = {
        "",
        "bool_contents",
        "int_contents",
        "int64_contents",
        "uint_contents",
        "uint64_contents",
        "fp32_contents",
        "fp64_contents",
        "bytes_contents"
    };

    private TypedContents() {}

    private static Form form(String input, String datatype) {
        return switch (datatype) {
            case "BOOL" -> new Form(1, Kind.VARINT, 1);
            case "INT8" -> new Form(2, Kind.VARINT, 1);
            case "INT16" -> new Form(2, Kind.VARINT, 2);
            case "INT32" -> new Form(2, Kind.VARINT, 4);
            case "INT64" -> new Form(3, Kind.VARINT, 8);
            case "UINT8" -> new Form(4, Kind.VARINT, 1);
            case "UINT16" -> new Form(4, Kind.VARINT, 2);
            case "UINT32" -> new Form(4, Kind.VARINT, 4);
            case "UINT64" -> new Form(5, Kind.VARINT, 8);
            case "FP32" -> new Form(6, Kind.FIXED, 4);
            case "FP64" -> new Form(7, Kind.FIXED, 8);
            case "BYTES" -> new Form(8, Kind.TEXT, 0);
            default ->
                throw refused("input '%s' of %s has no form in 'contents'; send it in raw_input_contents"
                        .formatted(input, datatype));
        };
    }

    /** @param hold reserves so many bytes of memory, or throws */
    static byte[] bytes(WireReader contents, String input, String datatype, LongConsumer hold) {
        Form form = form(input, datatype);
        long most = (long) contents.size()
                * switch (form.kind()) {
                    case VARINT -> form.bytes();
                    case FIXED -> 1;
                    // Tag and length take two bytes at least, the length in a tensor takes four.
                    case TEXT -> 2;
                };
        hold.accept(most);
        if (most > Integer.MAX_VALUE - 8) {
            throw new GrpcException(GrpcStatus.RESOURCE_EXHAUSTED, "the tensors are larger than 2 GiB; send less");
        }
        ByteBuffer out = ByteBuffer.allocate((int) most).order(ByteOrder.LITTLE_ENDIAN);
        for (int field = contents.next(); field != 0; field = contents.next()) {
            if (field != form.field()) {
                throw refused("input '%s' is %s, but its contents are %s; use %s"
                        .formatted(
                                input,
                                datatype,
                                field < NAMES.length ? NAMES[field] : "field " + field,
                                NAMES[form.field()]));
            }
            elements(contents, form, input, datatype, out);
        }
        byte[] bytes = new byte[out.position()];
        out.get(0, bytes);
        return bytes;
    }

    /** Reads one element, or the packed elements of one field. */
    private static void elements(WireReader in, Form form, String input, String datatype, ByteBuffer out) {
        if (form.kind() == Kind.TEXT) {
            WireReader text = in.message();
            out.putInt(text.size());
            text.copyTo(out.array(), out.position());
            out.position(out.position() + text.size());
            return;
        }
        if (in.wireType() != WireReader.BYTES) {
            element(in, form, input, datatype, out);
            return;
        }
        WireReader packed = in.message();
        while (!packed.ended()) {
            element(packed, form, input, datatype, out);
        }
    }

    private static void element(WireReader in, Form form, String input, String datatype, ByteBuffer out) {
        long bits = form.kind() == Kind.VARINT ? in.varint() : in.fixed(form.bytes());
        if (form.kind() == Kind.VARINT && !fits(bits, form.bytes() * Byte.SIZE, datatype)) {
            throw refused("input '%s' is %s, which does not hold %d".formatted(input, datatype, bits));
        }
        switch (form.bytes()) {
            case 1 -> out.put((byte) bits);
            case 2 -> out.putShort((short) bits);
            case 4 -> out.putInt((int) bits);
            default -> out.putLong(bits);
        }
    }

    private static boolean fits(long bits, int width, String datatype) {
        if (width == Long.SIZE) {
            return true;
        }
        return datatype.startsWith("INT")
                ? bits >= -(1L << width - 1) && bits < 1L << width - 1
                : bits >= 0 && bits < (datatype.equals("BOOL") ? 2 : 1L << width);
    }

    /** Bytes of an element in a raw tensor; 0 if they differ or are unknown. */
    static int elementBytes(String datatype) {
        return switch (datatype) {
            case "BOOL", "INT8", "UINT8" -> 1;
            case "INT16", "UINT16", "FP16", "BF16" -> 2;
            case "INT32", "UINT32", "FP32" -> 4;
            case "INT64", "UINT64", "FP64" -> 8;
            default -> 0;
        };
    }

    private static GrpcException refused(String sentence) {
        return new GrpcException(GrpcStatus.INVALID_ARGUMENT, sentence);
    }
}
