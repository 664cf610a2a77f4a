package io.knabla.runtime.check;

import io.knabla.functions.unit.DataType;
import io.knabla.functions.unit.GraphManifest;
import io.knabla.functions.unit.RowsFinding;
import io.knabla.functions.unit.TensorSpec;
import io.knabla.runtime.engine.Engine;
import io.knabla.runtime.engine.EngineException;
import io.knabla.runtime.engine.Tensor;
import io.knabla.runtime.engine.TensorBatching;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Checks whether the answer to one row of a batch depends on the rows beside it: requests of several callers must then
 * not be joined. Sample rows of very different scale run alone, beside copies of themselves, and beside each other.
 */
public final class RowsCheck {
    private static final long SEED = 1;

    /** A dependence of any kind is visible in the smaller rows: the larger ones drown them. */
    private static final double[] SCALES = {1, 1000, 0.001};

    private static final int ROWS = SCALES.length;

    /** Sizes of free dimensions, besides the first, to try in this order. Some models need more than one or two. */
    private static final List<Long> SIZES = List.of(2L, 8L, 32L, 224L);

    /** Of one run with all rows; the check takes about five times as long. */
    private static final Duration LONGEST_RUN = Duration.ofSeconds(5);

    private final Engine engine;
    private final GraphManifest manifest;

    private RowsCheck(Engine engine, GraphManifest manifest) {
        this.engine = engine;
        this.manifest = manifest;
    }

    /** Checks a unit without gradients and training state. */
    public static RowsCheckResult check(Engine engine, GraphManifest manifest) {
        return manifest.batchable()
                ? new RowsCheck(engine, manifest).run()
                : new RowsCheckResult(
                        RowsFinding.NOT_JOINED, "its inputs and outputs have no variable first dimension in common");
    }

    private RowsCheckResult run() {
        String why = "";
        for (long size : SIZES) {
            try {
                return checkAtSize(size);
            } catch (EngineException failed) {
                why = switch (failed.code()) {
                    case FAILED, BAD_INDEX ->
                        String.valueOf(failed.getCause().getMessage()).strip();
                    case BUSY, TIMED_OUT, UNLOADABLE, NOT_FINITE, NOT_KEPT, OUT_OF_DEVICE_MEMORY, DEVICE_LOST ->
                        throw failed;
                };
            }
            if (manifest.inputs().stream().noneMatch(RowsCheck::freeWithinRow)) {
                break;
            }
        }
        return RowsCheckResult.notChecked("it does not run on sample rows: " + why);
    }

    private static boolean freeWithinRow(TensorSpec spec) {
        return spec.shape().stream().skip(1).anyMatch(size -> size < 0);
    }

    private RowsCheckResult checkAtSize(long size) {
        var random = new SplittableRandom(SEED);
        List<List<Tensor>> rows = Arrays.stream(SCALES)
                .mapToObj(scale -> TrialInputs.row(manifest.inputs(), size, scale, random))
                .toList();
        try {
            return compare(rows);
        } finally {
            rows.forEach(row -> row.forEach(Tensor::close));
        }
    }

    private RowsCheckResult compare(List<List<Tensor>> rows) {
        long start = System.nanoTime();
        List<Tensor> together = joined(rows);
        Duration once = Duration.ofNanos(System.nanoTime() - start);
        Optional<Tensor> inseparable = together.stream()
                .filter(output -> !TensorBatching.splittable(List.of(output), ROWS))
                .findFirst();
        if (inseparable.isPresent()) {
            long[] shape = inseparable.get().shape();
            return RowsCheckResult.inseparable(inseparable.get().name(), shape.length == 0 ? 0 : shape[0], ROWS);
        }
        if (once.compareTo(LONGEST_RUN) > 0) {
            return RowsCheckResult.notChecked("a run of %d sample rows takes %d s, at most %d s are"
                    .formatted(ROWS, once.toSeconds(), LONGEST_RUN.toSeconds()));
        }
        if (!isSame(together, joined(rows))) {
            return RowsCheckResult.notChecked(
                    "two runs of the same rows have different answers, as with operators of random numbers");
        }
        return compare(rows, together);
    }

    private RowsCheckResult compare(List<List<Tensor>> rows, List<Tensor> together) {
        boolean finite = false;
        for (int row = 0; row < ROWS; row++) {
            List<Tensor> alone = answers(rows.get(row));
            List<Tensor> copies = joined(Collections.nCopies(ROWS, rows.get(row)));
            for (int output = 0; output < together.size(); output++) {
                Tensor all = together.get(output);
                var answers = new RowDifference.Answers(
                        alone.get(output),
                        TensorBatching.part(copies.get(output), row, 1, ROWS),
                        TensorBatching.part(all, row, 1, ROWS),
                        largest(all));
                Optional<RowDifference> difference = RowDifference.of(answers);
                if (difference.isPresent()) {
                    return RowsCheckResult.dependent(difference.get());
                }
                finite |= isFinite(answers.alone());
            }
        }
        return finite
                ? RowsCheckResult.INDEPENDENT
                : RowsCheckResult.notChecked("its answers to sample rows are not finite numbers");
    }

    private static double largest(Tensor output) {
        return output.type() == DataType.BYTES ? 0 : RowDifference.magnitude(RowDifference.numbers(output));
    }

    private static boolean isFinite(Tensor answer) {
        return answer.type() == DataType.BYTES
                || Arrays.stream(RowDifference.numbers(answer)).anyMatch(Double::isFinite);
    }

    private static boolean isSame(List<Tensor> one, List<Tensor> other) {
        return IntStream.range(0, one.size()).allMatch(i -> isSame(one.get(i), other.get(i)));
    }

    private static boolean isSame(Tensor one, Tensor other) {
        return one.type() == DataType.BYTES
                ? Arrays.deepEquals(one.texts(), other.texts())
                : one.data().equals(other.data());
    }

    private List<Tensor> joined(List<List<Tensor>> rows) {
        List<Tensor> inputs = TensorBatching.join(rows, ROWS);
        try {
            return answers(inputs);
        } finally {
            inputs.forEach(Tensor::close);
        }
    }

    private List<Tensor> answers(List<Tensor> inputs) {
        boolean[] wanted = new boolean[manifest.outputs().size()];
        Arrays.fill(wanted, true);
        return engine.run(Optional.empty(), inputs, wanted, System.nanoTime(), answer -> {
            var copies = new ArrayList<Tensor>();
            answer.outputs().forEach(output -> copies.add(TensorCopy.of(output)));
            return copies;
        });
    }
}
