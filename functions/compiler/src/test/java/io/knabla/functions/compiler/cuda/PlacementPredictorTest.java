package io.knabla.functions.compiler.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import ai.onnx.proto.OnnxMl.AttributeProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import io.knabla.functions.Onnx;
import io.knabla.functions.compiler.cuda.DevicePlacement.Copy;
import io.knabla.functions.compiler.cuda.DevicePlacement.Direction;
import io.knabla.functions.compiler.cuda.DevicePlacement.Fallback;
import io.knabla.functions.compiler.cuda.DevicePlacement.Reason;
import io.knabla.functions.compiler.onnx.ElementType;
import io.knabla.functions.compiler.onnx.Model;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlacementPredictorTest {
    private static final List<ElementType> FLOAT = List.of(ElementType.FLOAT);

    private static DevicePlacement place(ModelProto model) {
        return PlacementPredictor.of(Model.of(model));
    }

    @Test
    void tableKnowsDomainOperatorOpsetAndTypes() {
        CudaKernels table = CudaKernels.TABLE;

        assertThat(table.has("", "Relu", 20, FLOAT, FLOAT)).isTrue();
        assertThat(table.has("", "Relu", 20, List.of(ElementType.INT32), List.of(ElementType.INT32)))
                .isFalse();
        assertThat(table.has("", "Sinh", 20, FLOAT, FLOAT)).isFalse();
        assertThat(table.has("", "MaxPool", 21, FLOAT, FLOAT)).isTrue();
        assertThat(table.has("", "MaxPool", 22, FLOAT, FLOAT)).isFalse();
        assertThat(table.has("com.microsoft", "FusedMatMul", 1, FLOAT, FLOAT)).isTrue();
        assertThat(table.hasSome("ai.onnx.ml", "ZipMap")).isFalse();
    }

    @Test
    void nodeWithoutKernelCostsCopiesBothWays() {
        DevicePlacement placed = place(new Onnx()
                .input("x", ElementType.FLOAT, 2, 8)
                .node("Relu", List.of("x"), "a")
                .node("Sinh", List.of("a"), "b")
                .node("Relu", List.of("b"), "y")
                .output("y", ElementType.FLOAT, 2, 8)
                .build());

        assertThat(placed.device()).isEqualTo(2);
        assertThat(placed.fallbacks())
                .extracting(Fallback::op, Fallback::reason)
                .containsExactly(tuple("Sinh", Reason.NO_KERNEL));
        assertThat(placed.copies())
                .containsExactlyInAnyOrder(
                        new Copy("a", Direction.TO_HOST, 64), new Copy("b", Direction.TO_DEVICE, 64));
        assertThat(placed.copySeconds(new HostLink(64, 1))).isEqualTo(4);
    }

    @Test
    void nodeAtTheEdgeCostsNoCopyOfItsOwn() {
        DevicePlacement placed = place(new Onnx()
                .input("x", ElementType.FLOAT, 2)
                .node("Relu", List.of("x"), "a")
                .node("Sinh", List.of("a"), "y")
                .output("y", ElementType.FLOAT, 2)
                .build());

        assertThat(placed.copies()).containsExactly(new Copy("a", Direction.TO_HOST, 8));
    }

    @Test
    void sizesAreComputedOnTheHost() {
        DevicePlacement placed = place(new Onnx()
                .input("x", ElementType.FLOAT, "n", 4)
                .node("Relu", List.of("x"), "a")
                .node("Shape", List.of("a"), "s")
                .node("Mul", List.of("s", "s"), "t")
                .node("Expand", List.of("a", "t"), "y")
                .output("y", ElementType.FLOAT, "n", "m")
                .build());

        assertThat(placed.fallbacks())
                .extracting(Fallback::op, Fallback::reason)
                .containsExactly(tuple("Mul", Reason.SHAPE_ARITHMETIC));
        assertThat(placed.computations()).isEmpty();
        assertThat(placed.copies()).isEmpty();
    }

    @Test
    void attributeThatCudnnLacksIsNamed() {
        AttributeProto pads = AttributeProto.newBuilder()
                .setName("pads")
                .setType(AttributeProto.AttributeType.INTS)
                .addAllInts(List.of(0L, 1L))
                .build();
        ModelProto model = new Onnx()
                .input("x", ElementType.FLOAT, 1, 1, 8)
                .input("w", ElementType.FLOAT, 1, 1, 3)
                .node("ConvTranspose", List.of("x", "w"), "y", pads)
                .output("y", ElementType.FLOAT, 1, 1, "n")
                .build();

        assertThat(place(model).fallbacks())
                .extracting(Fallback::reason, Fallback::detail)
                .containsExactly(tuple(Reason.ATTRIBUTE, "pads"));
    }
}
