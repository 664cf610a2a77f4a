package io.knabla.functions.compiler.analyze;

import static io.knabla.functions.compiler.analyze.CostRule.moving;
import static io.knabla.functions.compiler.analyze.CostRule.perInput;
import static io.knabla.functions.compiler.analyze.CostRule.perOutput;

import io.knabla.functions.compiler.analyze.CostRule.Traffic;
import io.knabla.functions.compiler.onnx.ElementwiseOperators;
import java.util.List;
import java.util.Map;

/** Cost rules of element-wise operators and of those that only move bytes. */
final class ElementCosts {
    private ElementCosts() {}

    static void register(Map<String, CostRule> rules) {
        List.of(ElementwiseOperators.MATH, ElementwiseOperators.ARITHMETIC, ElementwiseOperators.COMPARISONS)
                .forEach(group -> group.forEach(op -> rules.put(op, perOutput(1))));
        each(rules, perOutput(1), ONE_EACH);
        each(rules, perInput(1), REDUCE);
        each(rules, perInput(5), "Softmax", "LogSoftmax", "Hardmax", "com.microsoft.QLinearSoftmax");
        each(rules, perInput(2), "BatchNormalization", "LpNormalization", "QuantizeLinear");
        each(rules, perOutput(2), "DequantizeLinear", "com.microsoft.DequantizeLinear");
        each(rules, perInput(2), "com.microsoft.QuantizeLinear");
        each(rules, perInput(4), "DynamicQuantizeLinear", "RMSNormalization", "LRN");
        each(rules, perInput(8), NORMALISE);
        each(rules, perInput(4), "RotaryEmbedding", "com.microsoft.RotaryEmbedding");
        each(rules, perOutput(8), "Resize", "Upsample", "GridSample");
        each(rules, perInput(1), "TopK", "NonZero", "Unique", "Compress");
        each(rules, moving(Traffic.ALL), MOVE);
        each(rules, moving(Traffic.VIEW), VIEW);
        each(rules, moving(Traffic.PICKED), PICK);
        each(rules, moving(Traffic.MADE), MAKE);
    }

    private static final String[] ONE_EACH = {
        "Bernoulli",
        "RandomNormalLike",
        "RandomUniformLike",
        "Not",
        "IsNaN",
        "IsInf",
        "Where",
        "Dropout",
        "com.microsoft.Gelu",
        "com.microsoft.FastGelu",
        "com.microsoft.BiasGelu",
        "com.microsoft.QuickGelu",
        "com.microsoft.QLinearAdd",
        "com.microsoft.QLinearMul",
        "com.microsoft.QLinearLeakyRelu",
        "com.microsoft.QLinearSigmoid",
        "ai.onnx.ml.Scaler",
        "ai.onnx.ml.Normalizer",
        "ai.onnx.ml.Binarizer",
        "ai.onnx.ml.Imputer"
    };

    private static final String[] REDUCE = {
        "ReduceSum",
        "ReduceMean",
        "ReduceMax",
        "ReduceMin",
        "ReduceProd",
        "ReduceL1",
        "ReduceL2",
        "ReduceLogSum",
        "ReduceLogSumExp",
        "ReduceSumSquare",
        "ArgMax",
        "ArgMin",
        "GlobalAveragePool",
        "GlobalMaxPool",
        "GlobalLpPool",
        "com.microsoft.QLinearGlobalAveragePool"
    };

    private static final String[] NORMALISE = {
        "LayerNormalization",
        "SimplifiedLayerNormalization",
        "InstanceNormalization",
        "GroupNormalization",
        "MeanVarianceNormalization",
        "com.microsoft.GroupNorm",
        "com.microsoft.SkipLayerNormalization",
        "com.microsoft.SkipSimplifiedLayerNormalization",
        "com.microsoft.EmbedLayerNormalization"
    };

    private static final String[] MOVE = {
        "Cast",
        "CastLike",
        "BitCast",
        "Transpose",
        "Concat",
        "Split",
        "Pad",
        "Tile",
        "DepthToSpace",
        "SpaceToDepth",
        "Trilu",
        "ReverseSequence",
        "Scatter",
        "ScatterElements",
        "ScatterND",
        "TensorScatter",
        "OneHot"
    };

    private static final String[] VIEW = {
        "Reshape", "Flatten", "Squeeze", "Unsqueeze", "Identity", "Shape", "Size", "Constant"
    };

    private static final String[] PICK = {"Gather", "GatherElements", "GatherND", "Slice", "Expand"};

    private static final String[] MAKE = {"ConstantOfShape", "Range", "EyeLike", "RandomNormal", "RandomUniform"};

    static void each(Map<String, CostRule> rules, CostRule rule, String... ops) {
        for (String op : ops) {
            rules.put(op, rule);
        }
    }
}
