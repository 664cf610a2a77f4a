package io.knabla.functions.compiler.importer;

import static io.knabla.functions.compiler.importer.LoweringHelpers.requiredInput;

import io.knabla.functions.compiler.ir.Lowering;
import io.knabla.functions.compiler.ir.Lowering.Call;
import io.knabla.functions.compiler.ir.Ops;
import io.knabla.functions.compiler.ir.UnsupportedOperatorException;
import io.knabla.functions.compiler.ir.Value;
import io.knabla.functions.compiler.onnx.Dim;
import java.util.Map;

/** Lowers operators that rearrange blocks of an image: DepthToSpace, SpaceToDepth and Col2Im. */
final class BlockRearrangement {
    private BlockRearrangement() {}

    static void register(Map<String, Lowering> table) {
        LoweringHelpers.put(table, "DepthToSpace", BlockRearrangement::toSpace);
        LoweringHelpers.put(table, "SpaceToDepth", BlockRearrangement::toDepth);
        LoweringHelpers.put(table, "Col2Im", Col2Im::toImage);
    }

    private static long block(Call call) {
        long block = call.attributes().integer("blocksize", 1);
        if (requiredInput(call, 0).rank() != 4 || block < 1 || block > Integer.MAX_VALUE) {
            throw new UnsupportedOperatorException("needs a tensor with 4 axes and a blocksize of at least 1");
        }
        return block;
    }

    /** A size of {@code x}, multiplied and divided, as an int64 vector of one element. */
    private static Value size(Ops code, Value x, int axis, long times, long by) {
        if (x.dim(axis) instanceof Dim.Known(var size)) {
            return code.ints(size * times / by);
        }
        Value size = code.sizeOf(x, axis);
        Value more = times == 1 ? size : code.op("Mul", size, code.ints(times));
        return by == 1 ? more : code.op("Div", more, code.ints(by));
    }

    private static Value toSpace(Ops code, Call call) {
        Value x = requiredInput(call, 0);
        long b = block(call);
        Value depth = size(code, x, 1, 1, b * b);
        Value height = size(code, x, 2, 1, 1);
        Value width = size(code, x, 3, 1, 1);
        Value blocks = code.ints(b, b);
        boolean columns = call.attributes().text("mode", "DCR").equals("CRD");
        Value parted = columns
                ? LoweringHelpers.joined(code, code.ints(-1), depth, blocks, height, width)
                : LoweringHelpers.joined(code, code.ints(-1), blocks, depth, height, width);
        Value six = code.op("Reshape", x, parted);
        Value turned = columns ? code.transpose(six, 0, 1, 4, 2, 5, 3) : code.transpose(six, 0, 3, 4, 1, 5, 2);
        Value out = LoweringHelpers.joined(code, code.ints(-1), depth, size(code, x, 2, b, 1), size(code, x, 3, b, 1));
        return code.op("Reshape", turned, out);
    }

    private static Value toDepth(Ops code, Call call) {
        Value x = requiredInput(call, 0);
        long b = block(call);
        Value depth = size(code, x, 1, 1, 1);
        Value height = size(code, x, 2, 1, b);
        Value width = size(code, x, 3, 1, b);
        Value one = code.ints(b);
        Value parted = LoweringHelpers.joined(code, code.ints(-1), depth, height, one, width, one);
        Value turned = code.transpose(code.op("Reshape", x, parted), 0, 3, 5, 1, 2, 4);
        Value out = LoweringHelpers.joined(code, code.ints(-1), size(code, x, 1, b * b, 1), height, width);
        return code.op("Reshape", turned, out);
    }
}
