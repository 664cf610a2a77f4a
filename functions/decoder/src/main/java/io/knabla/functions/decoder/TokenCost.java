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
    /** A text that appears this fast is read comfortably. */
    private static final double WANTED_SECONDS = 0.05;

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
                List.of(),
                0);
    }

    private Suggestion suggestion(double seconds, Machine machine) {
        return FolderSuggestion.of(
                weightBytes,
                keyValueBytes,
                seconds * machine.threads() / WANTED_SECONDS,
                "a token takes about %.2f ms on %s; memory holds a replica, the weights twice, and keys and values"
                        .formatted(seconds * 1000, machine.text()));
    }
}
