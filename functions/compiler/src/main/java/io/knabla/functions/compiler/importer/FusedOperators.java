package io.knabla.functions.compiler.importer;

import static io.knabla.functions.compiler.importer.LoweringHelpers.requiredInput;

import io.knabla.functions.compiler.ir.Attributes;
import io.knabla.functions.compiler.ir.Lowering;
import io.knabla.functions.compiler.ir.Lowering.Call;
import io.knabla.functions.compiler.ir.Ops;
import io.knabla.functions.compiler.ir.UnsupportedOperatorException;
import io.knabla.functions.compiler.ir.Value;
import io.knabla.functions.compiler.onnx.ElementType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Lowers fused operators that ONNX Runtime's optimiser writes into files. */
final class FusedOperators {
    private static final double MASKED = -10000;

    private FusedOperators() {}

    static void register(Map<String, Lowering> table) {
        LoweringHelpers.put(table, "com.microsoft.FusedMatMul", FusedOperators::fusedMatMul);
        LoweringHelpers.put(table, "com.microsoft.TransposeMatMul", FusedOperators::fusedMatMul);
        LoweringHelpers.put(table, "com.microsoft.FusedConv", FusedOperators::fusedConv);
        LoweringHelpers.put(table, "com.microsoft.FusedGemm", FusedOperators::fusedGemm);
        table.put("com.microsoft.MultiHeadAttention", FusedOperators::multiHead);
    }

    private static Value fusedMatMul(Ops code, Call call) {
        Value left = operand(code, call, 0, "A");
        Value right = operand(code, call, 1, "B");
        return code.mul(code.matmul(left, right), call.attributes().real("alpha", 1));
    }

    private static Value operand(Ops code, Call call, int input, String name) {
        Value x = requiredInput(call, input);
        if (x.rank() < 2) {
            return x;
        }
        if (call.attributes().integer("transBatch" + name, 0) == 1) {
            // The file has the rows of the matrix as its first axis.
            var order = new ArrayList<>(LoweringHelpers.range(1, x.rank() - 1L));
            order.add(0L);
            order.add(x.rank() - 1L);
            x = code.transpose(x, order);
        }
        return call.attributes().integer("trans" + name, 0) == 1 ? code.transposed(x) : x;
    }

    private static Value fusedConv(Ops code, Call call) {
        Attributes plain = call.attributes().without("activation", "activation_params");
        Value[] inputs = LoweringHelpers.inputs(requiredInput(call, 0), requiredInput(call, 1), call.input(2))
                .toArray(Value[]::new);
        Value y = code.op("Conv", plain, inputs);
        return activated(code, call, call.has(3) ? code.add(y, call.input(3)) : y);
    }

    private static Value fusedGemm(Ops code, Call call) {
        Attributes plain =
                call.attributes().without("activation", "activation_alpha", "activation_beta", "activation_gamma");
        Value y = code.op("Gemm", plain, call.spec().inputs().toArray(Value[]::new));
        return activated(code, call, y);
    }

    private static Value activated(Ops code, Call call, Value x) {
        String name = call.attributes().text("activation", "");
        List<Float> parameters = call.attributes().reals("activation_params").orElse(List.of());
        double first = parameters.isEmpty() ? call.attributes().real("activation_alpha", 0.01) : parameters.get(0);
        return switch (name) {
            case "" -> x;
            case "Relu", "Sigmoid", "Tanh" -> code.op(name, x);
            case "LeakyRelu" -> code.op(name, Attributes.of("alpha", first), x);
            case "Clip" -> code.op("Clip", x, code.scalar(x, first), code.scalar(x, parameters.get(1)));
            default -> throw new UnsupportedOperatorException("is fused with the activation '%s'".formatted(name));
        };
    }

    /** Inputs: query, key, value, bias, key mask, scores' bias, past key, past value. */
    private static Optional<List<Value>> multiHead(Ops code, Call call) {
        long heads = call.attributes().integer("num_heads", 0);
        if (requiredInput(call, 0).rank() != 3
                || !call.has(2)
                || call.spec().inputs().size() > 8) {
            throw new UnsupportedOperatorException(
                    "packs queries, keys and values into one tensor or keeps a buffer; optimise the file at a lower level");
        }
        List<Value> biased = biased(code, call);
        Value query = AttentionCore.heads(code, biased.get(0), heads);
        Value key = AttentionCore.heads(code, biased.get(1), heads);
        Value value = AttentionCore.heads(code, biased.get(2), heads);
        key = call.has(6) ? code.concat(2, call.input(6), key) : key;
        value = call.has(7) ? code.concat(2, call.input(7), value) : value;
        var core = new AttentionCore(code, query, key, value);
        Value scores = core.scores(call.attributes().real("scale", 0));
        scores = call.has(5) ? code.add(scores, call.input(5)) : scores;
        scores = call.has(4) ? code.add(scores, masked(code, call)) : scores;
        Value allowed = null;
        if (call.attributes().integer("unidirectional", 0) == 1) {
            Value past = call.has(6) ? code.sizeOf(call.input(6), 2) : code.ints(0);
            allowed = core.causal(code.squeeze(past, 0));
        }
        Value probabilities = core.probabilities(scores, allowed, scores.element());
        Value out = AttentionCore.joined(code, core.weighed(probabilities));
        return Optional.of(List.of(out, key, value));
    }

    /** Adds the biases of queries, keys and values, which one vector holds. */
    private static List<Value> biased(Ops code, Call call) {
        List<Value> three = List.of(requiredInput(call, 0), requiredInput(call, 1), requiredInput(call, 2));
        if (!call.has(3)) {
            return three;
        }
        var sizes = new ArrayList<Long>();
        for (Value one : three) {
            if (one.rank() != 3 || !one.dim(2).known()) {
                throw new UnsupportedOperatorException("adds a bias to inputs of unknown size");
            }
            sizes.add(one.dim(2).or(0));
        }
        List<Value> parts = code.split(call.input(3), 0, sizes);
        return List.of(
                code.add(three.get(0), parts.get(0)),
                code.add(three.get(1), parts.get(1)),
                code.add(three.get(2), parts.get(2)));
    }

    /**
     * Additive mask with a large negative number where the mask is 0: {@code [batch, total]} or {@code [batch, length,
     * total]}.
     */
    private static Value masked(Ops code, Call call) {
        Value mask = call.input(4);
        if (mask.rank() < 2 || mask.rank() > 3) {
            throw new UnsupportedOperatorException(
                    "masks keys by their number; a mask of two or three axes is supported");
        }
        Value spread = mask.rank() == 2 ? code.unsqueeze(mask, 1, 2) : code.unsqueeze(mask, 1);
        Value hidden = code.equal(spread, code.scalar(mask, 0));
        ElementType element = requiredInput(call, 0).element();
        double low = call.attributes().real("mask_filter_value", MASKED);
        return code.where(hidden, code.scalar(element, low), code.scalar(element, 0));
    }
}
