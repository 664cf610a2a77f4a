package io.knabla.functions.decoder;

import io.knabla.functions.compiler.analyze.Analysis;
import io.knabla.functions.compiler.analyze.Analysis.Prediction;
import io.knabla.functions.compiler.analyze.Machine;
import java.util.List;
import java.util.Map;

/**
 * Cost of one text that an encoder reads, in the form that other models have for a call.
 *
 * @param weightBytes of the packaged unit, all of which a text reads
 * @param memoryBytes for the values of one run
 */
record TextCost(long parameters, long flops, long weightBytes, long memoryBytes) {
    /** A search for which its query was embedded this fast feels immediate. */
    private static final double WANTED_SECONDS = 0.1;

    Analysis analysis(long tokens) {
        Machine machine = Machine.ASSUMED;
        double seconds = Math.max(flops / machine.flops(), weightBytes / machine.bytesPerSecond());
        return new Analysis(
                parameters,
                weightBytes,
                flops,
                weightBytes,
                0,
                memoryBytes,
                (double) flops / weightBytes,
                FolderSuggestion.of(
                        weightBytes,
                        memoryBytes,
                        seconds * machine.threads() / WANTED_SECONDS,
                        "a text of %d tokens takes about %.0f ms on %s; memory holds a replica, the weights twice, and the values of a run"
                                .formatted(tokens, seconds * 1000, machine.text())),
                new Prediction(machine.text(), seconds),
                List.of(),
                List.of(),
                Map.of(),
                List.of("one text of %d tokens".formatted(tokens)),
                1000 * seconds,
                machine,
                List.of(),
                0);
    }
}
