package io.knabla.functions.compiler.interpreter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.onnx.proto.OnnxMl.AttributeProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import io.knabla.functions.Onnx;
import io.knabla.functions.compiler.onnx.ElementType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Inputs that the evaluator rejects, and its messages. */
class EvaluatorBoundsTest {
    private static final NdArray HUGE = NdArray.longs(1 << 20, 1 << 20);

    @Test
    void rejectsHugeResultBeforeAllocation() {
        assertThatThrownBy(() -> fold("ConstantOfShape", HUGE))
                .isInstanceOf(EvaluationException.class)
                .hasMessage("ConstantOfShape[INT64[2]]: [1048576, 1048576] is too large");
        assertThatThrownBy(() -> fold("Expand", NdArray.floats(new int[0], 1), NdArray.longs(1000, 100)))
                .hasMessageContaining("more than 16,384 elements");
        assertThatThrownBy(() -> fold(
                        "Range",
                        NdArray.floats(new int[0], 0),
                        NdArray.floats(new int[0], 1),
                        NdArray.floats(new int[0], 1e-30)))
                .hasMessageContaining("it would not end");
    }

    @Test
    void rejectsExpensiveSmallResult() {
        NdArray row = NdArray.filled(ElementType.FLOAT, new int[] {120, 50000}, 1);
        NdArray column = NdArray.filled(ElementType.FLOAT, new int[] {50000, 120}, 1);

        assertThatThrownBy(() -> fold("MatMul", row, column)).hasMessageContaining("steps");
        assertThat(Evaluator.evaluate("MatMul", Map.of(), List.of(row, column))
                        .orElseThrow()
                        .getFirst()
                        .real(0))
                .isEqualTo(50000);
    }

    @ParameterizedTest
    @ValueSource(strings = {"RandomNormal", "RandomUniformLike", "Bernoulli", "Multinomial", "NoSuchOp"})
    void randomAndUnknownOperatorsAreNotEvaluated(String op) {
        assertThat(Evaluator.evaluate(op, Map.of(), List.of(HUGE))).isEmpty();
        assertThat(Evaluator.supports(op)).isFalse();
    }

    /** Random inputs and attributes lead to a result or an EvaluationException, never to another failure. */
    @Test
    void rejectsNonsenseWithMessage() {
        var random = new Random(7);
        int refused = 0;
        for (int round = 0; round < 60; round++) {
            for (String op : Kernels.names()) {
                var inputs = new ArrayList<NdArray>();
                for (int i = random.nextInt(5); i >= 0; i--) {
                    inputs.add(nonsense(random));
                }
                try {
                    Evaluator.evaluate(op, attributes(random), inputs, Budget.folding());
                } catch (EvaluationException expected) {
                    refused++;
                    assertThat(expected).hasMessageStartingWith(op);
                }
            }
        }
        assertThat(refused).isPositive();
    }

    private static NdArray nonsense(Random random) {
        int[] dims = random.ints(random.nextInt(5), 0, 4).toArray();
        int size = Dims.size(dims);
        return switch (random.nextInt(4)) {
            case 0 -> null;
            case 1 -> NdArray.floats(dims, random.doubles(size, -3, 3).toArray());
            case 2 ->
                NdArray.whole(ElementType.BOOL, dims, random.longs(size, 0, 2).toArray());
            default ->
                NdArray.whole(
                        ElementType.INT64,
                        dims,
                        random.longs(size)
                                .map(v -> random.nextInt(4) == 0 ? v : v % 5)
                                .toArray());
        };
    }

    private static Map<String, AttributeProto> attributes(Random random) {
        var attributes = new HashMap<String, AttributeProto>();
        for (String name : List.of("axis", "keepdims", "group", "blocksize", "to", "num_outputs", "batch_dims", "k")) {
            if (random.nextInt(3) == 0) {
                attributes.put(name, Onnx.integer(name, random.nextLong() >> random.nextInt(64)));
            }
        }
        for (String name : List.of("perm", "pads", "strides", "dilations", "kernel_shape", "axes", "output_shape")) {
            if (random.nextInt(3) == 0) {
                attributes.put(
                        name,
                        Onnx.ints(
                                name,
                                random.longs(random.nextInt(5), -3, 1L << random.nextInt(2, 62))
                                        .toArray()));
            }
        }
        if (random.nextBoolean()) {
            attributes.put("equation", Onnx.text("equation", "i...j,jk->ik".substring(random.nextInt(9))));
        }
        return attributes;
    }

    @ParameterizedTest
    @EnumSource(
            value = ElementType.class,
            names = {
                "FLOAT",
                "DOUBLE",
                "FLOAT16",
                "BFLOAT16",
                "INT64",
                "INT32",
                "INT16",
                "INT8",
                "UINT64",
                "UINT32",
                "UINT16",
                "UINT8",
                "BOOL"
            })
    void tensorsRoundTrip(ElementType element) {
        NdArray array = element.isFloat()
                ? NdArray.reals(element, new int[] {2, 3}, 1, -2.5, 0.1, 1e9, Double.NaN, -0.0)
                : NdArray.whole(element, new int[] {2, 3}, 0, 1, -1, 200, 70000, Long.MIN_VALUE);

        NdArray back = NdArray.of(array.toProto("x"));

        assertThat(back).hasToString(array.toString());
        assertThat(back.dims()).containsExactly(2, 3);
        assertThat(back.real(4)).isEqualTo(Double.valueOf(array.real(4)));
    }

    @Test
    void readsTypedFields() {
        TensorProto floats = TensorProto.newBuilder()
                .setDataType(1)
                .addDims(2)
                .addFloatData(1.5f)
                .addFloatData(2)
                .build();
        TensorProto halves = TensorProto.newBuilder()
                .setDataType(10)
                .addDims(1)
                .addInt32Data(0x3c00)
                .build();
        TensorProto bytes = TensorProto.newBuilder()
                .setDataType(3)
                .addDims(2)
                .addInt32Data(-3)
                .addInt32Data(4)
                .build();
        TensorProto unsigned = TensorProto.newBuilder()
                .setDataType(12)
                .addDims(1)
                .addUint64Data(0xffff_ffffL)
                .build();

        assertThat(NdArray.of(floats).reals()).containsExactly(1.5, 2);
        assertThat(NdArray.of(halves).reals()).containsExactly(1);
        assertThat(NdArray.of(bytes).whole()).containsExactly(-3, 4);
        assertThat(NdArray.of(unsigned).whole()).containsExactly(0xffff_ffffL);
    }

    @Test
    void rejectsTensorWithTooFewElements() {
        TensorProto few = TensorProto.newBuilder()
                .setDataType(1)
                .addDims(3)
                .addFloatData(1)
                .build();

        assertThatThrownBy(() -> NdArray.of(few)).hasMessage("a tensor of 3 elements holds 1");
        assertThatThrownBy(() -> NdArray.of(few.toBuilder().setDataType(8).build()))
                .hasMessage("no arithmetic on STRING");
    }

    private static void fold(String op, NdArray... inputs) {
        Evaluator.evaluate(op, Map.of(), List.of(inputs), Budget.folding());
    }
}
