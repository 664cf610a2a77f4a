package io.knabla.functions.compiler.optimize.pattern;

import io.knabla.functions.compiler.ir.Op;
import io.knabla.functions.compiler.ir.Ops;
import io.knabla.functions.compiler.ir.Value;
import java.util.List;
import java.util.Optional;

/** Fuses Log and Softmax into LogSoftmax, which is exact where a probability rounds to 0. */
final class LogSoftmaxFusion {
    private LogSoftmaxFusion() {}

    static Optional<List<Value>> rewrite(Ops code, Op op) {
        if (!op.is("Log")) {
            return Optional.empty();
        }
        return op.input(0)
                .producer("Softmax")
                .map(softmax -> List.of(code.op("LogSoftmax", softmax.attributes(), softmax.input(0))));
    }
}
