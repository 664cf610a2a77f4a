package io.knabla.controller.knative.status;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.fabric8.knative.serving.v1.Configuration;
import io.fabric8.knative.serving.v1.Revision;
import io.fabric8.knative.serving.v1.RevisionBuilder;
import io.fabric8.knative.serving.v1.Route;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesList;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.catalog.FunctionRecord;
import io.knabla.controller.catalog.Version;
import io.knabla.controller.deploy.DeployResult.Unchanged;
import io.knabla.controller.knative.resource.Labels;
import io.knabla.functions.spec.FunctionDefaults;
import io.knabla.functions.spec.FunctionSpec.TrafficTarget;
import io.knabla.functions.unit.Digest;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Objects recorded from Kubernetes 1.34 with Knative 1.22, trimmed; each file holds one function in one state. */
final class Recordings {
    static final Instant NOW = Instant.parse("2026-11-21T14:00:00Z");
    static final Digest UNIT = new Digest("sha256:" + "7f".repeat(32));
    static final Digest OTHER = new Digest("sha256:" + "0e".repeat(32));

    private Recordings() {}

    static FunctionSnapshot snapshot(String name) {
        List<HasMetadata> objects = objects(name);
        return new FunctionSnapshot(
                of(Configuration.class, objects),
                of(Revision.class, objects),
                of(Route.class, objects).stream().findFirst(),
                of(Pod.class, objects),
                of(Node.class, objects));
    }

    /** Merges the second function's objects into the first as its version 2; keeps the first one's Route. */
    static FunctionSnapshot merged(String first, String second) {
        FunctionSnapshot one = snapshot(first);
        FunctionSnapshot two = snapshot(second);
        two.pods().forEach(pod -> pod.getMetadata().getLabels().put(Labels.VERSION, "2"));
        return new FunctionSnapshot(
                one.configurations(),
                Stream.concat(one.revisions().stream(), two.revisions().stream().map(Recordings::newer))
                        .toList(),
                one.route(),
                Stream.concat(one.pods().stream(), two.pods().stream()).toList(),
                one.nodes());
    }

    private static Revision newer(Revision revision) {
        return new RevisionBuilder(revision)
                .editMetadata()
                .addToLabels(Labels.VERSION, "2")
                .endMetadata()
                .build();
    }

    private static List<HasMetadata> objects(String name) {
        try (InputStream json = Recordings.class.getResourceAsStream(name + ".json")) {
            return Serialization.unmarshal(json, KubernetesList.class).getItems();
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    private static <T> List<T> of(Class<T> kind, List<HasMetadata> objects) {
        return objects.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    /** Input for a packaged function with this number of versions. */
    static StatusInput input(FunctionSnapshot seen, int versions, TrafficTarget... traffic) {
        return input(seen, record(versions, traffic));
    }

    static StatusInput input(FunctionSnapshot seen, FunctionRecord record) {
        return new StatusInput(
                3,
                new PackagingState.Ended(new Unchanged(record, record.latest(), List.of())),
                Optional.of(record),
                Optional.empty(),
                List.of(),
                seen,
                Optional.of(JsonNodeFactory.instance.objectNode().put("flops", 7)));
    }

    static FunctionRecord record(int versions, TrafficTarget... traffic) {
        return new FunctionRecord(
                new FunctionId("status-a", "digits"),
                IntStream.rangeClosed(1, versions).mapToObj(Recordings::version).toList(),
                List.of(traffic),
                "");
    }

    private static Version version(int number) {
        return new Version(number, FunctionDefaults.inference("digits.onnx"), UNIT, UNIT, NOW);
    }

    static StatusInput with(StatusInput sight, PackagingState packaging) {
        return new StatusInput(
                sight.generation(),
                packaging,
                sight.record(),
                sight.plan(),
                sight.blockers(),
                sight.snapshot(),
                sight.analysis());
    }

    /** Input while the store does not answer. */
    static StatusInput withoutStore(StatusInput sight, PackagingState packaging) {
        return new StatusInput(
                sight.generation(),
                packaging,
                Optional.empty(),
                Optional.empty(),
                sight.blockers(),
                sight.snapshot(),
                Optional.empty());
    }
}
