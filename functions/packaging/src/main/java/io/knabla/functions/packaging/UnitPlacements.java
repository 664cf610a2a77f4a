package io.knabla.functions.packaging;

import io.knabla.functions.Fault;
import io.knabla.functions.compiler.autodiff.GradientRequest;
import io.knabla.functions.compiler.cuda.DevicePlacement;
import io.knabla.functions.compiler.cuda.PlacementPredictor;
import io.knabla.functions.compiler.onnx.Model;
import io.knabla.functions.packaging.ModelCheck.Checked;
import io.knabla.functions.packaging.UnitParts.Part;
import io.knabla.functions.packaging.UnitParts.Prepared;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Predicts, without packaging a unit, which nodes of its graphs a GPU computes. */
public final class UnitPlacements {
    /** Name of the graph that answers {@code infer}. */
    public static final String MAIN = "main";

    private UnitPlacements() {}

    /** The graphs of a unit, or why there is none. */
    public sealed interface Answer {
        /** @param graphs by name, the main one first */
        record Told(Map<String, DevicePlacement> graphs) implements Answer {}

        record Refused(List<Fault> faults) implements Answer {}
    }

    /** @param plan what to differentiate; empty for the model as it is */
    public static Answer of(ModelFiles files, Optional<GradientRequest> plan) {
        return switch (ModelCheck.check(files)) {
            case Checked.Bad(var faults) -> new Answer.Refused(faults);
            case Checked.Good good -> plan.isEmpty() ? told(UnitParts.plain(good)) : derived(good, plan.get(), files);
        };
    }

    private static Answer derived(Checked.Good good, GradientRequest plan, ModelFiles files) {
        try {
            return switch (GradientUnitBuilder.build(good, plan, Packager.digest(files.model()))) {
                case Prepared.Refused(var faults) -> new Answer.Refused(faults);
                case Prepared.Ready(var parts) -> told(parts);
            };
        } catch (IOException unreadable) {
            throw new UncheckedIOException("cannot read " + files.model(), unreadable);
        }
    }

    private static Answer told(UnitParts parts) {
        var graphs = new LinkedHashMap<String, DevicePlacement>();
        graphs.put(MAIN, of(parts.main()));
        parts.beside().forEach(part -> graphs.put(part.name(), of(part)));
        return new Answer.Told(graphs);
    }

    private static DevicePlacement of(Part part) {
        return PlacementPredictor.of(Model.of(part.model()));
    }
}
