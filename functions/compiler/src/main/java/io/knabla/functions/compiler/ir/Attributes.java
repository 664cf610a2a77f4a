package io.knabla.functions.compiler.ir;

import ai.onnx.proto.OnnxMl.AttributeProto;
import ai.onnx.proto.OnnxMl.AttributeProto.AttributeType;
import ai.onnx.proto.OnnxMl.TensorProto;
import com.google.protobuf.ByteString;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/** Attributes of an operation, without subgraphs. Immutable and sorted by name; equal attributes are equal objects. */
public record Attributes(TreeMap<String, AttributeProto> values) {
    public static final Attributes NONE = new Attributes(new TreeMap<>());

    public static Attributes of(String name, long value) {
        return NONE.with(name, value);
    }

    public static Attributes of(String name, List<Long> values) {
        return NONE.with(name, values);
    }

    public static Attributes of(String name, String value) {
        return NONE.with(name, value);
    }

    public static Attributes of(String name, double value) {
        return NONE.with(name, value);
    }

    public Attributes with(String name, long value) {
        return with(attribute(name, AttributeType.INT).setI(value).build());
    }

    public Attributes with(String name, List<Long> values) {
        return with(attribute(name, AttributeType.INTS).addAllInts(values).build());
    }

    /** ONNX stores real attributes as float32. */
    public Attributes with(String name, double value) {
        return with(attribute(name, AttributeType.FLOAT).setF((float) value).build());
    }

    public Attributes with(String name, String value) {
        return with(attribute(name, AttributeType.STRING)
                .setS(ByteString.copyFromUtf8(value))
                .build());
    }

    public Attributes with(String name, TensorProto value) {
        return with(attribute(name, AttributeType.TENSOR).setT(value).build());
    }

    public Attributes with(AttributeProto attribute) {
        var more = new TreeMap<>(values);
        more.put(attribute.getName(), attribute);
        return new Attributes(more);
    }

    public Attributes without(String... names) {
        var fewer = new TreeMap<>(values);
        for (String name : names) {
            fewer.remove(name);
        }
        return new Attributes(fewer);
    }

    public boolean has(String name) {
        return values.containsKey(name);
    }

    public long integer(String name, long otherwise) {
        return find(name, AttributeProto::getI).orElse(otherwise);
    }

    public double real(String name, double otherwise) {
        return find(name, a -> (double) a.getF()).orElse(otherwise);
    }

    public String text(String name, String otherwise) {
        return find(name, a -> a.getS().toStringUtf8()).orElse(otherwise);
    }

    public Optional<List<Long>> integers(String name) {
        return find(name, a -> List.copyOf(a.getIntsList()));
    }

    public Optional<List<Float>> reals(String name) {
        return find(name, a -> List.copyOf(a.getFloatsList()));
    }

    public Optional<TensorProto> tensor(String name) {
        return find(name, AttributeProto::getT);
    }

    private <T> Optional<T> find(String name, Function<AttributeProto, T> read) {
        return Optional.ofNullable(values.get(name)).map(read);
    }

    private static AttributeProto.Builder attribute(String name, AttributeType type) {
        return AttributeProto.newBuilder().setName(name).setType(type);
    }
}
