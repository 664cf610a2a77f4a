package io.knabla.controller.knative.reconcile;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.knabla.controller.catalog.FunctionRecord;
import io.knabla.controller.deploy.UnitProvenance;
import io.knabla.controller.knative.reconcile.RolloutApplier.RolloutOutcome;
import io.knabla.controller.knative.resource.FunctionObject;
import io.knabla.controller.knative.resource.FunctionObjectStatus;
import io.knabla.controller.knative.resource.Labels;
import io.knabla.controller.knative.rights.PrivilegedTask;
import io.knabla.controller.knative.status.FunctionSnapshot;
import io.knabla.controller.knative.status.FunctionStatusBuilder;
import io.knabla.controller.knative.status.StatusInput;
import io.knabla.controller.knative.status.Transitions;
import io.knabla.controller.knative.usage.CostNow;
import io.knabla.controller.price.PriceBook;
import io.knabla.functions.compiler.analyze.Analysis;
import io.knabla.functions.unit.Digest;
import io.knabla.storage.StorageException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** Writes a Function's status if it changed, and records events for changed conditions. */
final class StatusWriter {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final ObjectApplier writer;
    private final EventRecorder events;
    private final UnitProvenance origins;
    private final Supplier<Optional<PriceBook>> prices;
    private final Supplier<Map<PrivilegedTask, String>> refusals;
    private final Clock clock;

    /** Status written last, by uid: the watch may be behind, and its old status would look like a change. */
    private final Map<String, FunctionObjectStatus> lastWritten = new ConcurrentHashMap<>();

    /**
     * @param prices empty until they are loaded
     * @param refusals why the controller's account may not do a task; no entry if it may
     */
    StatusWriter(
            ObjectApplier writer,
            EventRecorder events,
            UnitProvenance origins,
            Supplier<Optional<PriceBook>> prices,
            Supplier<Map<PrivilegedTask, String>> refusals,
            Clock clock) {
        this.writer = writer;
        this.events = events;
        this.origins = origins;
        this.prices = prices;
        this.refusals = refusals;
        this.clock = clock;
    }

    void report(
            FunctionObject function,
            VersionReconciler.VersionOutcome versionOutcome,
            RolloutOutcome rolloutOutcome,
            FunctionSnapshot seen) {
        FunctionObjectStatus before = before(function);
        var input = new StatusInput(
                function.getMetadata().getGeneration(),
                versionOutcome.packaging(),
                versionOutcome.record(),
                rolloutOutcome.plan(),
                rolloutOutcome.blockers(),
                seen,
                versionOutcome.record().flatMap(record -> analysis(record, before)));
        FunctionObjectStatus now = withChange(function, FunctionStatusBuilder.status(input, before, clock.instant()));
        writeIfChanged(function, before, withCost(withTasks(now, input, rolloutOutcome, before), seen));
    }

    /** Only replicas on spot nodes are moved. */
    private FunctionObjectStatus withTasks(
            FunctionObjectStatus status, StatusInput input, RolloutOutcome rollout, FunctionObjectStatus before) {
        Map<PrivilegedTask, String> refused = refusals.get();
        FunctionObjectStatus told = status;
        for (PrivilegedTask task : PrivilegedTask.values()) {
            Optional<String> refusal = Optional.ofNullable(refused.get(task))
                    .filter(_ -> task != PrivilegedTask.MOVE || rollout.mayUseSpot());
            told = FunctionStatusBuilder.withTask(told, task, refusal, input.generation(), before, clock.instant());
        }
        return told;
    }

    private static FunctionObjectStatus withChange(FunctionObject function, FunctionObjectStatus status) {
        return Optional.ofNullable(function.getMetadata().getAnnotations())
                .map(annotations -> annotations.get(Labels.CHANGE))
                .map(change -> FunctionStatusBuilder.withChange(status, change))
                .orElse(status);
    }

    /** Keeps the last cost until the prices are loaded: a new leader must not write every status twice. */
    private FunctionObjectStatus withCost(FunctionObjectStatus status, FunctionSnapshot seen) {
        return prices.get()
                .map(book -> status.withCost(CostNow.of(seen.pods(), seen.nodes(), book, clock.instant())
                        .orElse(null)))
                .orElse(status);
    }

    /** Reports that the cluster cannot be read; all other conditions keep their last value. */
    void reportUnreadable(FunctionObject function, String why) {
        FunctionObjectStatus before = before(function);
        writeIfChanged(
                function,
                before,
                FunctionStatusBuilder.withoutCluster(
                        why, function.getMetadata().getGeneration(), before, clock.instant()));
    }

    private FunctionObjectStatus before(FunctionObject function) {
        return lastWritten.getOrDefault(function.getMetadata().getUid(), function.getStatus());
    }

    private void writeIfChanged(FunctionObject function, FunctionObjectStatus before, FunctionObjectStatus now) {
        if (now.equals(before)) {
            return;
        }
        writer.status(function, now);
        lastWritten.put(function.getMetadata().getUid(), now);
        Transitions.between(before, now).forEach(change -> events.record(function, change));
    }

    void forget(FunctionObject function) {
        lastWritten.remove(function.getMetadata().getUid());
    }

    /** Keeps the analysis of an unchanged unit: numbers that were read back have other types. */
    private Optional<JsonNode> analysis(FunctionRecord record, FunctionObjectStatus before) {
        Digest unit = record.latest().unit();
        if (before != null && before.analysis() != null && unit.value().equals(before.unit())) {
            return Optional.of(before.analysis());
        }
        try {
            return origins.of(unit).map(origin -> summary(origin.analysis()));
        } catch (StorageException outage) {
            return Optional.empty();
        }
    }

    private static JsonNode summary(Analysis analysis) {
        var summary = JsonNodeFactory.instance.objectNode();
        summary.put("parameters", analysis.parameters());
        summary.put("weightBytes", analysis.weightBytes());
        summary.put("flops", analysis.flops());
        summary.put("bytesRead", analysis.bytesRead());
        summary.put("bytesWritten", analysis.bytesWritten());
        summary.put("peakMemoryBytes", analysis.peakMemoryBytes());
        summary.put("arithmeticIntensity", analysis.arithmeticIntensity());
        summary.set("suggestion", JSON.valueToTree(analysis.suggestion()));
        try {
            return JSON.readTree(JSON.writeValueAsBytes(summary));
        } catch (IOException impossible) {
            throw new UncheckedIOException("a tree of plain values must be writable", impossible);
        }
    }
}
