package io.knabla.runtime;

import io.knabla.functions.unit.TensorSpec;
import io.knabla.runtime.engine.Tensor;
import java.util.ArrayList;
import java.util.Arrays;

/** Loads a unit and runs it once on zeros, so that a model that breaks the engine is found at deploy. */
final class Check {
    private static final long MAX_ELEMENTS = 1 << 28;

    private Check() {}

    static int run(Settings settings) {
        try {
            long start = System.nanoTime();
            Load load = Load.of(settings);
            long loaded = System.nanoTime();
            var inputs = new ArrayList<Tensor>();
            for (TensorSpec spec : load.manifest().inputs()) {
                inputs.add(zeros(load, spec));
            }
            boolean[] wanted = new boolean[load.manifest().outputs().size()];
            Arrays.fill(wanted, true);
            load.engine().infer(inputs, wanted, System.nanoTime(), answer -> answer);
            Events.checked(Load.millis(loaded - start), Load.millis(System.nanoTime() - loaded));
            return 0;
        } catch (RuntimeException refused) {
            Events.refused(refused.getMessage());
            return Main.REFUSED;
        }
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
