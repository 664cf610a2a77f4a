package io.knabla.bench.autodiff;

import ai.onnxruntime.OrtException;
import io.knabla.bench.machine.Cooldown;
import io.knabla.bench.report.Progress;
import io.knabla.bench.report.Rounding;
import io.knabla.bench.report.Row;
import io.knabla.bench.run.Bench;
import io.knabla.bench.run.Measurement;
import io.knabla.bench.statistics.PairedSamples;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * {@code bench autodiff}: benchmarks Knabla alone. The script {@code runtime/bench/src/main/python/autodiff.py}
 * compares it with PyTorch and JAX; it drives {@link GradientTimingServer}.
 */
public final class AutodiffBench implements Bench {
    static final List<String> MODELS = List.of("mlp", "gpt2", "llama", "bert", "cnn", "resnet");

    /** Most rounds of measurements that start a process each time. */
    private static final int PROCESSES = 5;

    private final int rounds;
    private final Progress progress;

    public AutodiffBench(int rounds, Progress progress) {
        this.rounds = rounds;
        this.progress = progress;
    }

    @Override
    public List<Measurement> measurements() {
        List<Measurement> all = new ArrayList<>();
        MODELS.forEach(model -> all.add(Measurement.of(model, () -> row(model))));
        all.add(new Measurement(RecomputationBench.ROWS, rows -> {
            progress.report("recomputation");
            RecomputationBench.rows(Math.min(rounds, PROCESSES)).forEach(rows::add);
        }));
        return all;
    }

    private Row row(String model) throws OrtException {
        progress.report(model);
        try (var subject = new TimedModel(model)) {
            var paired = new PairedSamples();
            for (int i = 0; i < rounds; i++) {
                Cooldown.DEFAULT.await();
                paired.add(subject.gradientMillis(), subject.forwardMillis());
            }
            Map<String, Object> details = new LinkedHashMap<>();
            details.put("nodes", subject.nodes);
            details.put("packaging_ms", Rounding.significant(subject.packagingMillis));
            details.put("session_ms", Rounding.significant(subject.sessionMillis));
            String goal =
                    "against the best of PyTorch eager, torch.compile and JAX (autodiff.py): at most " + goal(model);
            return Row.of(new Row.Title(model, "ms", goal), paired, "the loss without gradients", details);
        }
    }

    private static String goal(String model) {
        return model.equals("cnn") || model.equals("resnet") ? "1.0" : "0.8";
    }
}
