package io.knabla.functions.compiler.importer;

import io.knabla.functions.compiler.interpreter.NdArray;
import io.knabla.functions.compiler.onnx.ElementType;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Lowering of attention and of operators that ONNX Runtime's optimiser fuses, compared with the engine's kernels. */
class FusedOperatorsTest {
    private static final String MICROSOFT = "com.microsoft.";

    private final Map<String, LoweringCase> uses = new LinkedHashMap<>();

    private LoweringCase use(String op, long opset) {
        LoweringCase use = LoweringCase.of(op, opset);
        uses.put("%s-%d #%d".formatted(op, opset, uses.size()), use);
        return use;
    }

    private LoweringCase fused(String op) {
        return use(MICROSOFT + op, 17);
    }

    @TestFactory
    Stream<DynamicTest> loweredModelsAgreeWithOriginals() {
        attention();
        products();
        norms();
        multiHead();
        return uses.entrySet().stream().map(use -> DynamicTest.dynamicTest(use.getKey(), use.getValue()::check));
    }

    private void attention() {
        use("Attention", 23).x(2, 4, 3, 8).x(2, 4, 5, 8).x(2, 4, 5, 6);
        use("Attention", 23).x(2, 4, 3, 8).x(2, 2, 5, 8).x(2, 2, 5, 6).with("is_causal", 1);
        use("Attention", 23)
                .x(2, 3, 32)
                .x(2, 5, 16)
                .x(2, 5, 16)
                .with("q_num_heads", 4)
                .with("kv_num_heads", 2)
                .with("scale", 0.3);
        use("Attention", 23).x(2, 4, 3, 8).x(2, 4, 5, 8).x(2, 4, 5, 8).x(3, 5);
        use("Attention", 23)
                .x(2, 4, 3, 8)
                .x(2, 4, 3, 8)
                .x(2, 4, 3, 8)
                .input(NdArray.whole(ElementType.BOOL, new int[] {3, 3}, 1, 0, 1, 1, 1, 0, 0, 0, 1), true)
                .with("softcap", 2.0);
        use("Attention", 23)
                .x(1, 2, 3, 4)
                .x(1, 2, 3, 4)
                .x(1, 2, 3, 4)
                .none()
                .x(1, 2, 2, 4)
                .x(1, 2, 2, 4)
                .with("is_causal", 1)
                .outputs(3);
        for (long interleaved = 0; interleaved < 2; interleaved++) {
            use("RotaryEmbedding", 23)
                    .x(2, 3, 4, 8)
                    .weight(16, 4)
                    .weight(16, 4)
                    .positions(2, 4)
                    .with("interleaved", interleaved);
            use("RotaryEmbedding", 23)
                    .x(2, 4, 24)
                    .weight(16, 2)
                    .weight(16, 2)
                    .positions(2, 4)
                    .with("num_heads", 3)
                    .with("rotary_embedding_dim", 4)
                    .with("interleaved", interleaved);
        }
    }

    private void products() {
        fused("FusedMatMul")
                .x(3, 2, 4)
                .x(3, 5, 2)
                .with("transA", 1)
                .with("transB", 1)
                .with("alpha", 0.5);
        fused("FusedMatMul").x(2, 3, 4).x(3, 4, 5).with("transBatchA", 1);
        fused("BiasGelu").x(2, 3, 4).weight(4);
        fused("FastGelu").x(2, 3, 4).weight(4);
        fused("FastGelu").x(2, 3, 4);
        fused("Gelu").x(2, 3);
        fused("QuickGelu").x(2, 3);
        fused("QuickGelu").x(2, 3).with("alpha", 0.7);
        fused("FusedConv").x(1, 2, 5, 5).weight(3, 2, 3, 3).weight(3).with("activation", "Relu");
        fused("FusedGemm").x(2, 3).weight(3, 4).weight(4).with("activation", "Sigmoid");
    }

    private void norms() {
        fused("SkipLayerNormalization")
                .x(2, 3, 4)
                .x(2, 3, 4)
                .weight(4)
                .weight(4)
                .weight(4);
        fused("SkipLayerNormalization").x(2, 3, 4).x(2, 3, 4).weight(4).with("epsilon", 1e-3);
        fused("SkipSimplifiedLayerNormalization").x(2, 3, 4).x(2, 3, 4).weight(4);
        use("SimplifiedLayerNormalization", 17).x(2, 3, 4).weight(4).with("axis", -1L);
    }

    private void multiHead() {
        fused("MultiHeadAttention").x(2, 3, 8).x(2, 5, 8).x(2, 5, 8).with("num_heads", 2);
        fused("MultiHeadAttention")
                .x(2, 3, 8)
                .x(2, 5, 8)
                .x(2, 5, 8)
                .weight(24)
                .none()
                .x(2, 2, 3, 5)
                .with("num_heads", 2);
        fused("MultiHeadAttention")
                .x(2, 3, 8)
                .x(2, 4, 8)
                .x(2, 4, 8)
                .none()
                .input(NdArray.whole(ElementType.INT32, new int[] {2, 4}, 1, 1, 1, 0, 1, 1, 0, 0), true)
                .with("num_heads", 2);
        fused("RotaryEmbedding").x(2, 4, 24).positions(2, 4).weight(16, 4).weight(16, 4);
        fused("RotaryEmbedding").x(2, 3, 4, 8).longs(2).weight(16, 4).weight(16, 4);
    }
}
