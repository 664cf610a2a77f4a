package io.knabla.functions.analyze;

import io.knabla.functions.graph.Model;
import java.util.List;
import java.util.Map;

/** Counts what a model costs. */
public final class Analyzer {
    private Analyzer() {}

    public static Analysis analyze(Model model) {
        return new Analysis(
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                new Analysis.Suggestion("cpu", 1000, 512 << 20, ""),
                new Analysis.Prediction("", 0),
                List.of(),
                List.of(),
                Map.of(),
                List.of());
    }
}
