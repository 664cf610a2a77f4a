package io.knabla.runtime.serve;

import static io.knabla.functions.compiler.onnx.ElementType.INT64;
import static io.knabla.functions.compiler.onnx.ElementType.STRING;

import ai.onnx.proto.OnnxMl.AttributeProto;
import ai.onnx.proto.OnnxMl.AttributeProto.AttributeType;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import com.google.protobuf.ByteString;
import io.knabla.functions.Onnx;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;

/** A model that knows words whose bytes differ between UTF-8 and JNI's modified UTF-8, and others. */
final class LabelModel {
    static final List<String> WORDS = List.of(
            "monday",
            "Besançon",
            "中文",
            "😀👩‍👩‍👧",
            "",
            "a\0b",
            "\0",
            "\uffff\ue000",
            "𝒳",
            "é\"\\\n",
            "x".repeat(100_000) + "😀");

    private LabelModel() {}

    private static AttributeProto words(String name) {
        return AttributeProto.newBuilder()
                .setName(name)
                .setType(AttributeType.STRINGS)
                .addAllStrings(WORDS.stream().map(ByteString::copyFromUtf8).toList())
                .build();
    }

    private static AttributeProto numbers(String name) {
        return Onnx.ints(name, IntStream.range(0, WORDS.size()).asLongStream().toArray());
    }

    private static NodeProto encoder(String input, String output, AttributeProto keys, AttributeProto values) {
        return NodeProto.newBuilder()
                .setDomain("ai.onnx.ml")
                .setOpType("LabelEncoder")
                .addInput(input)
                .addOutput(output)
                .addAttribute(keys)
                .addAttribute(values)
                .build();
    }

    /**
     * {@code i} is the number of the word {@code s}, {@code back} the word of that number, {@code same} is {@code s}.
     */
    static ModelProto model() {
        return new Onnx()
                .domain("ai.onnx.ml", 3)
                .input("s", STRING, "n")
                .output("i", INT64, "n")
                .output("back", STRING, "n")
                .output("same", STRING, "n")
                .node(encoder("s", "i", words("keys_strings"), numbers("values_int64s")))
                .node(encoder("i", "back", numbers("keys_int64s"), words("values_strings")))
                .node("Identity", List.of("s"), "same")
                .build();
    }

    /** Texts as in a binary tensor. */
    static byte[] binary(List<String> texts) {
        var bytes = new ByteArrayOutputStream();
        for (String text : texts) {
            byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
            bytes.writeBytes(ByteBuffer.allocate(Integer.BYTES)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .putInt(utf8.length)
                    .array());
            bytes.writeBytes(utf8);
        }
        return bytes.toByteArray();
    }
}
