package io.knabla.functions.decoder;

import io.knabla.functions.compiler.analyze.Analysis;
import io.knabla.functions.compiler.analyze.Analysis.Prediction;
import io.knabla.functions.compiler.analyze.Analysis.Suggestion;
import io.knabla.functions.compiler.analyze.Machine;
import java.util.List;
import java.util.Map;

/**
 * Cost of one token of one sequence, in the form that other models have for a call.
 *
 * @param weightBytes of the packaged unit, all of which a token reads
 * @param keyValueBytes memory for keys and values of all sequences
 */
record TokenCost(long parameters, long flops, long weightBytes, long keyValueBytes) {
    private static final long MIB = 1L << 20;

    /** Memory of a replica without a model. */
    private static final long REPLICA_BYTES = 192 * MIB;

    /** The engine keeps the weights as they are in the file, and once more as its kernels want them. */
    private static final int COPIES = 2;

    /** A text that appears this fast is read comfortably. */
    private static final double WANTED_SECONDS = 0.05;

    private static final int MAX_CORES = 8;

    Analysis analysis() {
        Machine machine = Machine.ASSUMED;
        double seconds = Math.max(flops / machine.flops(), weightBytes / machine.bytesPerSecond());
        return new Analysis(
                parameters,
                weightBytes,
                flops,
                weightBytes,
                0,
                keyValueBytes,
                (double) flops / weightBytes,
                suggestion(seconds, machine),
                new Prediction(machine.text(), seconds),
                List.of(),
                List.of(),
                Map.of(),
                List.of("one token of one sequence"),
                1000 * seconds,
                machine,
                List.of());
    }

    private Suggestion suggestion(double seconds, Machine machine) {
        long needed = REPLICA_BYTES + COPIES * weightBytes + keyValueBytes;
        long cores = (long) Math.clamp(Math.ceil(seconds * machine.threads() / WANTED_SECONDS), 1, MAX_CORES);
        return new Suggestion(
                "cpu",
                1000 * cores,
                Math.ceilDiv(needed, 64 * MIB) * 64 * MIB,
                "a token takes about %.2f ms on %s; memory holds a replica, the weights twice, and keys and values"
                        .formatted(seconds * 1000, machine.text()));
    }
}
