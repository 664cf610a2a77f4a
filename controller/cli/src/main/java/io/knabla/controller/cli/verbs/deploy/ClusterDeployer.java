package io.knabla.controller.cli.verbs.deploy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.knabla.controller.cli.CliFailure;
import io.knabla.controller.cli.client.Upload;
import io.knabla.controller.cli.kube.FunctionObjects;
import io.knabla.controller.cli.kube.KubeContext;
import io.knabla.controller.cli.models.FunctionFile;
import io.knabla.controller.cli.models.LocalModel;
import io.knabla.controller.cli.print.Documents;
import io.knabla.controller.cli.print.Progress;
import io.knabla.controller.cli.verbs.context.Context;
import io.knabla.controller.cli.verbs.function.FunctionPrinter;
import io.knabla.controller.cli.verbs.function.ReadinessWaiter;
import io.knabla.controller.cli.verbs.function.RolloutStatus;
import io.knabla.controller.cli.verbs.function.RolloutStatus.Failed;
import io.knabla.controller.cli.verbs.function.RolloutStatus.InProgress;
import io.knabla.controller.cli.verbs.function.RolloutStatus.Ready;
import io.knabla.controller.cli.verbs.traffic.PresentTraffic;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Deploys to a cluster: uploads the model to the controller, applies the {@code Function} with the user's credentials.
 */
final class ClusterDeployer implements FunctionDeployer {
    private static final Duration PAUSE = Duration.ofMillis(200);

    private final Context context;
    private final KubeContext cluster;
    private final Progress progress;

    ClusterDeployer(Context context, KubeContext cluster, Progress progress) {
        this.context = context;
        this.cluster = cluster;
        this.progress = progress;
    }

    @Override
    public ObjectNode deploy(FunctionFile function, Duration patience) {
        String namespace = namespace(function);
        FunctionObjects functions = cluster.functions();
        functions.dryRun(namespace, function.document());
        function.model().ifPresent(this::upload);
        int before = functions
                .find(namespace, function.name())
                .map(ClusterDeployer::latest)
                .orElse(0);
        progress.step("packaging " + function.name());
        JsonNode applied = functions.apply(namespace, function.document());
        if (!patience.isPositive()) {
            return accepted(applied);
        }
        JsonNode ready = await(functions, applied, function.model().isPresent(), patience);
        if (function.spec().traffic().isEmpty()
                && !function.document().path("spec").has("traffic")) {
            warnIfWithoutRequests(ready);
        }
        return answer(ready, latest(ready) == before ? "unchanged" : "deployed");
    }

    @Override
    public Optional<PresentTraffic> traffic(FunctionFile function) {
        return cluster.functions()
                .find(namespace(function), function.name())
                .filter(there -> latest(there) > 0)
                .map(PresentTraffic::ofResource);
    }

    /** Warns about an earlier traffic split that sends no requests to the new version. */
    private void warnIfWithoutRequests(JsonNode ready) {
        int latest = latest(ready);
        if (!RolloutStatus.receivesRequests(ready, latest)) {
            JsonNode metadata = ready.path("metadata");
            progress.note(
                    "version %d gets no requests: spec.traffic is %s; send it all of them with ./knabla traffic %s %d=100 -n %s --context %s"
                            .formatted(
                                    latest,
                                    FunctionPrinter.traffic(ready.path("spec").path("traffic")),
                                    metadata.path("name").asText(),
                                    latest,
                                    metadata.path("namespace").asText(),
                                    cluster.name()));
        }
    }

    /** Result without waiting; has no version unless the controller has already made this generation ready. */
    private ObjectNode accepted(JsonNode applied) {
        long generation = applied.path("metadata").path("generation").asLong();
        return RolloutStatus.of(applied, generation) instanceof Ready
                ? answer(applied, "unchanged")
                : answer(applied, "accepted").without(List.of("version", "unit"));
    }

    private String namespace(FunctionFile function) {
        String own = function.document().path("metadata").path("namespace").asText();
        return own.isEmpty() ? context.namespace() : own;
    }

    private void upload(LocalModel model) {
        var upload = new Upload(context.platform(), progress);
        model.files().forEach(upload::send);
    }

    /** @param sent whether the model was just uploaded: an earlier report of a missing model is then out of date */
    private JsonNode await(FunctionObjects functions, JsonNode applied, boolean sent, Duration patience) {
        JsonNode metadata = applied.path("metadata");
        String namespace = metadata.path("namespace").asText();
        String name = metadata.path("name").asText();
        long generation = metadata.path("generation").asLong();
        long deadline = System.nanoTime() + patience.toNanos();
        while (true) {
            JsonNode now = functions.find(namespace, name).orElseThrow(() -> gone(name));
            RolloutStatus verdict = RolloutStatus.of(now, generation);
            switch (sent ? verdict.afterModelUpload() : verdict) {
                case Ready() -> {
                    return now;
                }
                case Failed(var reason, var sentence) ->
                    throw CliFailure.failed(
                            "%s/%s does not become ready (%s): %s%nDetails: kubectl -n %s"
                                    + " describe fn %s --context %s",
                            namespace, name, reason, sentence, namespace, name, cluster.name());
                case InProgress(var sentence) -> {
                    if (System.nanoTime() > deadline) {
                        throw late(namespace, name, patience, sentence);
                    }
                    progress.step(name + ": " + sentence);
                }
            }
            ReadinessWaiter.pause(PAUSE);
        }
    }

    private static CliFailure gone(String name) {
        return CliFailure.failed("%s was deleted before it was ready", name);
    }

    private CliFailure late(String namespace, String name, Duration patience, String sentence) {
        return CliFailure.failed(
                "%s/%s is not ready after %d s (%s). It may still become ready: ./knabla describe %s"
                        + " -n %s --context %s",
                namespace, name, patience.toSeconds(), sentence, name, namespace, cluster.name());
    }

    private static ObjectNode answer(JsonNode function, String result) {
        JsonNode status = function.path("status");
        ObjectNode answer = Documents.JSON.createObjectNode();
        answer.set("name", function.path("metadata").path("name"));
        answer.set("namespace", function.path("metadata").path("namespace"));
        answer.set("version", status.path("latestVersion"));
        answer.set("unit", status.path("unit"));
        answer.set("url", status.path("url"));
        answer.put("result", result);
        return answer;
    }

    private static int latest(JsonNode function) {
        return function.path("status").path("latestVersion").asInt();
    }
}
