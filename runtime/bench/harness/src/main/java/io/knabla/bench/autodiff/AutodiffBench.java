package io.knabla.bench.autodiff;

import ai.onnxruntime.OrtException;
import io.knabla.bench.machine.Cooldown;
import io.knabla.bench.report.Progress;
import io.knabla.bench.report.Rounding;
import io.knabla.bench.report.Row;
import io.knabla.bench.statistics.PairedSamples;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * {@code bench autodiff}: benchmarks Knabla alone. The script {@code runtime/bench/src/main/python/autodiff.py}
 * compares it with PyTorch and JAX; it drives {@link GradientTimingServer}.
 */
public final class AutodiffBench {
    static final List<String> MODELS = List.of("mlp", "gpt2", "llama", "bert", "cnn", "resnet");

    /** Most rounds of measurements that start a process each time. */
    private static final int PROCESSES = 5;

    private final int rounds;
    private final Predicate<String> wanted;
    private final Progress progress;

    public AutodiffBench(int rounds, Predicate<String> wanted, Progress progress) {
        this.rounds = rounds;
        this.wanted = wanted;
        this.progress = progress;
    }

    public List<Row> run() {
        var rows = new ArrayList<Row>();
        try {
            for (String model : MODELS) {
                if (wanted.test(model)) {
                    rows.add(row(model));
                }
            }
            progress.report("recomputation");
            rows.addAll(RecomputationBench.rows(Math.min(rounds, PROCESSES), wanted));
        } catch (OrtException engine) {
            throw new IllegalStateException("ONNX Runtime", engine);
        }
        return rows;
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
