package io.knabla.controller.operator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.knabla.controller.catalog.FunctionRecord;
import io.knabla.controller.cluster.knative.diagnose.Judge;
import io.knabla.controller.cluster.knative.diagnose.Seen;
import io.knabla.controller.cluster.knative.diagnose.Sight;
import io.knabla.controller.cluster.knative.diagnose.Transitions;
import io.knabla.controller.cluster.knative.resource.FunctionObject;
import io.knabla.controller.cluster.knative.resource.FunctionObjectStatus;
import io.knabla.controller.deploy.Origins;
import io.knabla.controller.operator.Steering.Steered;
import io.knabla.functions.analyze.Analysis;
import io.knabla.functions.unit.Digest;
import io.knabla.storage.StorageException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Writes a Function's status if it changed, and records events for changed conditions. */
final class Reporter {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Writer writer;
    private final EventRecorder events;
    private final Origins origins;
    private final Clock clock;

    /** Status written last, by uid: the watch may be behind, and its old status would look like a change. */
    private final Map<String, FunctionObjectStatus> said = new ConcurrentHashMap<>();

    Reporter(Writer writer, EventRecorder events, Origins origins, Clock clock) {
        this.writer = writer;
        this.events = events;
        this.origins = origins;
        this.clock = clock;
    }

    void report(FunctionObject function, Versions.Made made, Steered steered, Seen seen) {
        FunctionObjectStatus before = before(function);
        var sight = new Sight(
                function.getMetadata().getGeneration(),
                made.packaging(),
                made.record(),
                steered.plan(),
                steered.blockers(),
                seen,
                made.record().flatMap(record -> analysis(record, before)));
        say(function, before, Judge.status(sight, before, clock.instant()));
    }

    /** Reports that the cluster cannot be read; all other conditions keep their last value. */
    void blind(FunctionObject function, String why) {
        FunctionObjectStatus before = before(function);
        say(function, before, Judge.blind(why, function.getMetadata().getGeneration(), before, clock.instant()));
    }

    private FunctionObjectStatus before(FunctionObject function) {
        return said.getOrDefault(function.getMetadata().getUid(), function.getStatus());
    }

    private void say(FunctionObject function, FunctionObjectStatus before, FunctionObjectStatus now) {
        if (now.equals(before)) {
            return;
        }
        writer.status(function, now);
        said.put(function.getMetadata().getUid(), now);
        Transitions.between(before, now).forEach(change -> events.record(function, change));
    }

    void forget(FunctionObject function) {
        said.remove(function.getMetadata().getUid());
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
