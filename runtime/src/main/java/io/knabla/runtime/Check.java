package io.knabla.runtime;

import io.knabla.functions.unit.TensorSpec;
import io.knabla.runtime.engine.EngineException;
import io.knabla.runtime.engine.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Loads a unit and runs it once on zeros, so that a model that breaks the engine is found at deploy. */
final class Check {
    private static final long MAX_ELEMENTS = 1 << 28;

    private Check() {}

    static int run(Settings settings) {
        try {
            long start = System.nanoTime();
            Load load = Load.trial(settings);
            long loaded = System.nanoTime();
            var inputs = new ArrayList<Tensor>();
            for (TensorSpec spec : load.manifest().inputs()) {
                inputs.add(zeros(load, spec));
            }
            boolean[] wanted = new boolean[load.manifest().outputs().size()];
            Arrays.fill(wanted, true);
            String warning = warning(load, inputs, wanted);
            Events.checked(
                    Load.millis(loaded - start), Load.millis(System.nanoTime() - loaded), warning);
            return 0;
        } catch (RuntimeException refused) {
            Events.refused(refused.getMessage());
            return Main.REFUSED;
        }
    }

    /**
     * Runs it. An engine that says no may mean these inputs only: an index of 0 where none is, one pixel
     * where a kernel wants seven. That is told, not refused; where every input is alike, it is refused.
     *
     * @return null where all went well
     */
    private static String warning(Load load, List<Tensor> inputs, boolean[] wanted) {
        try {
            load.engine().infer(inputs, wanted, System.nanoTime(), answer -> answer);
            return null;
        } catch (EngineException failed) {
            if (failed.code() != EngineException.Code.FAILED) {
                throw failed;
            }
            String said = String.valueOf(failed.getCause().getMessage()).strip();
            if (load.manifest().inputs().stream().noneMatch(Check::matters)) {
                throw new IllegalStateException("the engine cannot run this model: " + said);
            }
            return "a trial with zeros, and 1 for every free dimension, failed; with real inputs this model may work: "
                    + said;
        }
    }

    /** Whether what an input holds, or its size, decides more than the numbers that come out. */
    private static boolean matters(TensorSpec input) {
        boolean fractions =
                switch (input.datatype()) {
                    case FP16, BF16, FP32, FP64 -> true;
                    case BOOL, UINT8, UINT16, UINT32, UINT64, INT8, INT16, INT32, INT64, BYTES ->
                            false;
                };
        return !fractions || input.shape().stream().anyMatch(size -> size < 0);
    }

    private static Tensor zeros(Load load, TensorSpec spec) {
        long[] shape = spec.shape().stream().mapToLong(size -> size < 0 ? 1 : size).toArray();
        long count = 1;
        for (long size : shape) {
            count = size == 0 ? 0 : Math.multiplyExact(count, size);
        }
        if (count > MAX_ELEMENTS) {
            throw new IllegalStateException(
                    "input '%s' of shape %s is too large to try"
                            .formatted(spec.name(), spec.shape()));
        }
        if (spec.datatype().bytes() == 0) {
            String[] texts = new String[(int) count];
            Arrays.fill(texts, "");
            return Tensor.texts(spec.name(), shape, texts);
        }
        int bytes = Math.toIntExact(count * spec.datatype().bytes());
        // Fresh direct memory is zeroed, and nothing was given to the pool before.
        return load.engine().inputs().take(spec.name(), spec.datatype(), shape, bytes);
    }
}
