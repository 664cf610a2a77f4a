package io.knabla.functions.compiler.importer;

import static io.knabla.functions.compiler.importer.LoweringHelpers.requiredInput;

import io.knabla.functions.compiler.ir.Lowering;
import io.knabla.functions.compiler.ir.Lowering.Call;
import io.knabla.functions.compiler.ir.Ops;
import io.knabla.functions.compiler.ir.UnsupportedOperatorException;
import io.knabla.functions.compiler.ir.Value;
import java.util.Map;

/** Lowers the rotary position embeddings of ONNX and Microsoft, which differ in the order of their inputs. */
final class Rotary {
    private Rotary() {}

    static void register(Map<String, Lowering> table) {
        LoweringHelpers.put(
                table,
                "RotaryEmbedding",
                (code, call) -> rotated(code, call, requiredInput(call, 1), requiredInput(call, 2), call.input(3)));
        LoweringHelpers.put(table, "com.microsoft.RotaryEmbedding", Rotary::microsoft);
    }

    private static Value microsoft(Ops code, Call call) {
        Value positions = requiredInput(call, 1);
        if (positions.rank() == 1) {
            // A single number is the position at which the sequence begins.
            Value x = requiredInput(call, 0);
            Value length = code.sizeOf(x, x.rank() == 4 ? 2 : 1);
            Value places = code.add(code.indices(length), positions);
            positions = code.unsqueeze(places, 0);
        }
        return rotated(code, call, requiredInput(call, 2), requiredInput(call, 3), positions);
    }

    private static Value rotated(Ops code, Call call, Value cos, Value sin, Value positions) {
        Value x = requiredInput(call, 0);
        boolean interleaved = call.attributes().integer("interleaved", 0) == 1;
        long turned = call.attributes().integer("rotary_embedding_dim", 0);
        Value heads = AttentionCore.heads(code, x, heads(call, x, cos, turned));
        long size = heads.dim(3).or(-1);
        if (size < 2) {
            throw new UnsupportedOperatorException("needs the size of its heads as a number");
        }
        long width = turned == 0 ? size : turned;
        Value part = width == size ? heads : code.slice(heads, 3, 0, width);
        Value c = angle(code, cos, positions, width);
        Value s = angle(code, sin, positions, width);
        Value result = interleaved ? pairs(code, part, c, s) : halves(code, part, c, s, width);
        Value whole = width == size ? result : code.concat(3, result, code.slice(heads, 3, width, size));
        return x.rank() == 3 ? AttentionCore.joined(code, whole) : whole;
    }

    /** Microsoft's operator may omit the number of heads; the width of the cache then determines it. */
    private static long heads(Call call, Value x, Value cos, long turned) {
        long stated = call.attributes().integer("num_heads", 0);
        if (stated > 0 || x.rank() == 4) {
            return stated;
        }
        long size = turned > 0 ? 0 : 2 * cos.dim(-1).or(0);
        return size > 0 ? x.dim(2).or(0) / size : 0;
    }

    /** Cache entries at the positions, as {@code [batch, 1, length, width/2]}. */
    private static Value angle(Ops code, Value cache, Value positions, long width) {
        Value rows = positions == null ? cache : code.gather(cache, positions, 0);
        Value used = rows.dim(-1).or(width / 2) > width / 2 ? code.slice(rows, rows.rank() - 1, 0, width / 2) : rows;
        return code.unsqueeze(used, 1);
    }

    private static Value halves(Ops code, Value x, Value cos, Value sin, long width) {
        Value first = code.slice(x, 3, 0, width / 2);
        Value second = code.slice(x, 3, width / 2, width);
        return code.concat(
                3,
                code.sub(code.mul(cos, first), code.mul(sin, second)),
                code.add(code.mul(sin, first), code.mul(cos, second)));
    }

    private static Value pairs(Ops code, Value x, Value cos, Value sin) {
        Value even = every(code, x, 0);
        Value odd = every(code, x, 1);
        Value real = code.sub(code.mul(cos, even), code.mul(sin, odd));
        Value imaginary = code.add(code.mul(sin, even), code.mul(cos, odd));
        Value both = code.concat(4, code.unsqueeze(real, 4), code.unsqueeze(imaginary, 4));
        return code.reshapeLike(both, x);
    }

    private static Value every(Ops code, Value x, long from) {
        return code.op("Slice", x, code.ints(from), code.ints(Integer.MAX_VALUE), code.ints(3), code.ints(2));
    }
}
