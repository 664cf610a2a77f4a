package io.knabla.controller.deploy;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.knabla.controller.cluster.engine.Ended;
import io.knabla.controller.cluster.engine.EngineRunner.Mode;
import io.knabla.controller.deploy.PackageStep.Made;
import io.knabla.functions.spec.Fault;
import io.knabla.functions.unit.Digest;
import io.knabla.functions.unit.EntryPoint;
import io.knabla.functions.unit.Optimization;
import io.knabla.functions.unit.UnitManifest;
import io.knabla.storage.Content;
import io.knabla.storage.ObjectStore;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Lets the engine optimise graphs ahead of time that it would spoil when it opens them: merged equal nodes undo
 * recomputation. Needs the engine, so it is done in a process of its own; what came of a unit is remembered beside it,
 * so that the same wish gives the same unit without doing it again.
 */
@Singleton
final class OptimizeStep {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final ObjectStore store;
    private final ReplicaProgram replica;
    private final Origins origins;

    OptimizeStep(ObjectStore store, ReplicaProgram replica, Origins origins) {
        this.store = store;
        this.replica = replica;
        this.origins = origins;
    }

    Made run(Made.Unit made) {
        Optional<Digest> before = known(made.digest());
        if (before.isPresent()) {
            return with(made, before.get());
        }
        return judged(made, replica.run(Mode.optimize, made.digest()));
    }

    static boolean wanted(UnitManifest manifest) {
        return manifest.optimization() == Optimization.NO_CSE
                || manifest.entries().stream().map(EntryPoint::optimization).anyMatch(Optimization.NO_CSE::equals);
    }

    private Made judged(Made.Unit made, Ended ended) {
        if (ended instanceof Ended.Passed(var _, var _, var unit) && unit.isPresent()) {
            Digest optimized = new Digest(unit.get());
            origins.of(made.digest()).ifPresent(origin -> origins.write(optimized, origin));
            remember(made.digest(), optimized);
            return with(made, optimized);
        }
        if (ended instanceof Ended.NotRun(var why)) {
            return warned(made, why);
        }
        return new Made.Refused(List.of(
                new Fault("spec.model", replica.trouble(ended).orElse("the engine optimised it and named no unit"))));
    }

    /** Of this deploy only: the next one tries it again. */
    private static Made.Unit warned(Made.Unit made, String why) {
        List<String> warnings = new ArrayList<>(made.warnings());
        warnings.add(
                "the graphs of its gradients were not optimised ahead of time, so they may need more memory than planned: %s. Deploy it again to try that once more."
                        .formatted(why));
        return new Made.Unit(made.digest(), made.model(), List.copyOf(warnings), true);
    }

    private static Made.Unit with(Made.Unit made, Digest unit) {
        return new Made.Unit(unit, made.model(), made.warnings(), false);
    }

    private Optional<Digest> known(Digest unit) {
        return store.read(ModelKeys.optimized(unit)).flatMap(object -> {
            try {
                return Optional.of(new Digest(
                        JSON.readTree(object.bytes()).path("optimized").asText()));
            } catch (IOException | IllegalArgumentException damaged) {
                // As good as none: it is made again.
                return Optional.empty();
            }
        });
    }

    private void remember(Digest unit, Digest optimized) {
        try {
            store.write(
                    ModelKeys.optimized(unit),
                    Content.of(JSON.writeValueAsBytes(Map.of("schema", 1, "optimized", optimized.value()))));
        } catch (IOException impossible) {
            throw new UncheckedIOException("a map must be writable", impossible);
        }
    }
}
