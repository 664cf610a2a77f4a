package io.knabla.functions.unit.safetensors;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import io.knabla.functions.unit.DataType;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Parses the JSON header of a safetensors file strictly, and writes it. */
final class HeaderJson {
    private static final String METADATA = "__metadata__";
    private static final int MAX_DIMENSIONS = 64;
    private static final int ALIGNMENT = 8;

    private static final JsonFactory JSON = JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(4)
                    .maxStringLength(1 << 20)
                    .maxNameLength(64 << 10)
                    .maxNumberLength(20)
                    .build())
            .build();

    private final JsonParser in;
    private final List<TensorEntry> slots = new ArrayList<>();
    private Map<String, String> metadata = Map.of();

    private HeaderJson(JsonParser in) {
        this.in = in;
    }

    static Header read(byte[] json) {
        try (JsonParser in = JSON.createParser(json)) {
            return new HeaderJson(in).header();
        } catch (JacksonException bad) {
            throw new NotSafeTensorsException(bad.getOriginalMessage(), bad);
        } catch (IOException bad) {
            throw new NotSafeTensorsException(bad.getMessage(), bad);
        }
    }

    private Header header() throws IOException {
        expect(JsonToken.START_OBJECT);
        while (in.nextToken() != JsonToken.END_OBJECT) {
            at(JsonToken.FIELD_NAME);
            if (in.currentName().equals(METADATA)) {
                metadata = texts();
            } else {
                slots.add(slot(in.currentName()));
            }
        }
        if (in.nextToken() != null) {
            throw unexpected("the end of the header");
        }
        return new Header(slots, metadata);
    }

    private Map<String, String> texts() throws IOException {
        expect(JsonToken.START_OBJECT);
        var texts = new HashMap<String, String>();
        while (in.nextToken() != JsonToken.END_OBJECT) {
            String key = in.currentName();
            expect(JsonToken.VALUE_STRING);
            texts.put(key, in.getText());
        }
        return texts;
    }

    private TensorEntry slot(String name) throws IOException {
        expect(JsonToken.START_OBJECT);
        DataType type = null;
        List<Long> shape = null;
        List<Long> offsets = null;
        while (in.nextToken() != JsonToken.END_OBJECT) {
            switch (in.currentName()) {
                case "dtype" -> {
                    expect(JsonToken.VALUE_STRING);
                    type = DtypeNames.of(in.getText());
                }
                case "shape" -> shape = numbers(name);
                case "data_offsets" -> offsets = numbers(name);
                default -> throw unexpected("dtype, shape or data_offsets");
            }
        }
        if (type == null || shape == null || offsets == null || offsets.size() != 2) {
            throw new NotSafeTensorsException(
                    "tensor '%s' needs a dtype, a shape and two data_offsets".formatted(name));
        }
        long begin = offsets.getFirst();
        long end = offsets.getLast();
        if (end - begin != bytes(name, type, shape)) {
            throw new NotSafeTensorsException("tensor '%s' of %s %s lies at bytes %d to %d"
                    .formatted(name, DtypeNames.name(type), shape, begin, end));
        }
        return new TensorEntry(name, type, shape, begin, end);
    }

    /** Size of a tensor in bytes. */
    static long bytes(String name, DataType type, List<Long> shape) {
        long bytes = type.bytes();
        try {
            for (long size : shape) {
                bytes = Math.multiplyExact(bytes, size);
            }
        } catch (ArithmeticException tooMany) {
            bytes = -1;
        }
        if (type.bytes() == 0 || bytes < 0) {
            throw new NotSafeTensorsException("tensor '%s' cannot be %s of shape %s".formatted(name, type, shape));
        }
        return bytes;
    }

    private List<Long> numbers(String name) throws IOException {
        expect(JsonToken.START_ARRAY);
        var numbers = new ArrayList<Long>();
        while (in.nextToken() != JsonToken.END_ARRAY) {
            at(JsonToken.VALUE_NUMBER_INT);
            long number = in.getLongValue();
            if (number < 0 || numbers.size() == MAX_DIMENSIONS) {
                throw new NotSafeTensorsException("tensor '%s' has an impossible shape or place".formatted(name));
            }
            numbers.add(number);
        }
        return numbers;
    }

    private void expect(JsonToken wanted) throws IOException {
        in.nextToken();
        at(wanted);
    }

    private void at(JsonToken wanted) throws IOException {
        if (in.currentToken() != wanted) {
            throw unexpected(wanted.name());
        }
    }

    private NotSafeTensorsException unexpected(String wanted) throws IOException {
        JsonToken token = in.currentToken();
        return new NotSafeTensorsException("at byte %d of its header: expected %s, found %s"
                .formatted(
                        in.currentTokenLocation().getByteOffset(), wanted, token == null ? "the end" : in.getText()));
    }

    /** Writes the length and the header, padded with spaces to align the tensors. */
    static byte[] write(Header header) {
        var bytes = new ByteArrayOutputStream();
        bytes.writeBytes(new byte[Long.BYTES]);
        try (JsonGenerator out = JSON.createGenerator(bytes)) {
            out.writeStartObject();
            if (!header.metadata().isEmpty()) {
                out.writeObjectFieldStart(METADATA);
                for (var entry : new TreeMap<>(header.metadata()).entrySet()) {
                    out.writeStringField(entry.getKey(), entry.getValue());
                }
                out.writeEndObject();
            }
            for (TensorEntry slot : header.entries()) {
                slot(out, slot);
            }
            out.writeEndObject();
        } catch (IOException notText) {
            throw new NotSafeTensorsException(notText.getMessage(), notText);
        }
        int json = bytes.size();
        byte[] whole = Arrays.copyOf(bytes.toByteArray(), Math.ceilDiv(json, ALIGNMENT) * ALIGNMENT);
        Arrays.fill(whole, json, whole.length, (byte) ' ');
        ByteBuffer.wrap(whole).order(ByteOrder.LITTLE_ENDIAN).putLong(whole.length - Long.BYTES);
        return whole;
    }

    private static void slot(JsonGenerator out, TensorEntry slot) throws IOException {
        out.writeObjectFieldStart(slot.name());
        out.writeStringField("dtype", DtypeNames.name(slot.type()));
        out.writeArrayFieldStart("shape");
        for (long size : slot.shape()) {
            out.writeNumber(size);
        }
        out.writeEndArray();
        out.writeArrayFieldStart("data_offsets");
        out.writeNumber(slot.begin());
        out.writeNumber(slot.end());
        out.writeEndArray();
        out.writeEndObject();
    }
}
