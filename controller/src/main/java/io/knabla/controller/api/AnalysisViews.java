package io.knabla.controller.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.knabla.controller.benchmark.MachineBenchmark;
import io.knabla.controller.catalog.Version;
import io.knabla.controller.deploy.EngineVerdicts;
import io.knabla.controller.deploy.MachineFit;
import io.knabla.controller.deploy.UnitProvenance;
import io.knabla.functions.compiler.analyze.Analysis;
import io.knabla.functions.spec.SpecWarnings;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds the static analyses of versions. */
@Singleton
final class AnalysisViews {
    private final UnitProvenance origins;
    private final EngineVerdicts checks;
    private final MachineFit machine;
    private final MachineBenchmark calibrator;
    private final ObjectMapper json;

    AnalysisViews(
            UnitProvenance origins,
            EngineVerdicts checks,
            MachineFit machine,
            MachineBenchmark calibrator,
            ObjectMapper json) {
        this.origins = origins;
        this.checks = checks;
        this.machine = machine;
        this.calibrator = calibrator;
        this.json = json;
    }

    /** Analysis for this platform's machine; empty for a unit that no deploy created. */
    Optional<Analysis> of(Version version) {
        long threads = version.spec().resources().threads();
        return origins.of(version.unit()).map(origin -> origin.analysis().forMachine(calibrator.machine(threads)));
    }

    /**
     * What packaging warned of, nothing for a unit that no deploy created, and what is to be known of the
     * specification.
     */
    List<String> warnings(Version version) {
        List<String> packaging =
                origins.of(version.unit()).map(UnitProvenance.Origin::warnings).orElse(List.of());
        return Stream.of(packaging, machine.warnings(version.spec().resources()), SpecWarnings.of(version.spec()))
                .flatMap(List::stream)
                .toList();
    }

    /** As {@code POST /analysis} returns it, plus the checks of gradients and of rows; null if there is none. */
    JsonNode view(Version version) {
        return of(version)
                .map(analysis -> json.<ObjectNode>valueToTree(analysis))
                .map(analysis -> with(analysis, version))
                .orElse(null);
    }

    private JsonNode with(ObjectNode analysis, Version version) {
        Optional<EngineVerdicts.Check> check = checks.of(version.unit());
        check.map(EngineVerdicts.Check::gradientCheck).ifPresent(found -> analysis.set("gradientCheck", found));
        check.map(EngineVerdicts.Check::rows)
                .filter(_ -> version.spec().batching().maxSize() > 1)
                .ifPresent(found -> analysis.set("batching", json.valueToTree(found)));
        return analysis;
    }
}
