package io.knabla.controller.knative.manifest;

import static io.knabla.controller.knative.suite.TestCluster.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.knative.serving.v1.Configuration;
import io.fabric8.knative.serving.v1.Revision;
import io.fabric8.knative.serving.v1.RevisionBuilder;
import io.fabric8.knative.serving.v1.Route;
import io.fabric8.knative.serving.v1.TrafficTarget;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.catalog.FunctionRecord;
import io.knabla.controller.catalog.Version;
import io.knabla.controller.home.StoreAccess;
import io.knabla.controller.knative.capacity.AvailableCapacity;
import io.knabla.controller.knative.preflight.Installation;
import io.knabla.controller.knative.preflight.InstallationReader;
import io.knabla.controller.knative.suite.TestCluster;
import io.knabla.controller.machine.Architecture;
import io.knabla.controller.standin.Specs;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Minimal test operator for one function in a namespace of a real cluster; its catalog is in memory. */
final class LiveFunction {
    private static final PatchContext OURS = new PatchContext.Builder()
            .withPatchType(PatchType.SERVER_SIDE_APPLY)
            .withFieldManager("knabla-test")
            .withForce(true)
            .build();

    private final KubernetesClient client;
    private final String namespace;
    private final OwnerReference owner;
    private final List<Version> versions = new ArrayList<>();
    private List<io.knabla.functions.spec.FunctionSpec.TrafficTarget> traffic = List.of();
    private int deploys;

    LiveFunction(KubernetesClient client, String namespace) {
        this.client = client;
        this.namespace = namespace;
        HasMetadata stand = client.resource(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withNamespace(namespace)
                        .withName("owner")
                        .endMetadata()
                        .build())
                .create();
        owner = new OwnerReferenceBuilder()
                .withApiVersion("v1")
                .withKind("ConfigMap")
                .withName("owner")
                .withUid(stand.getMetadata().getUid())
                .withController(true)
                .build();
    }

    LiveFunction deploy(Specs specs) {
        versions.add(specs.version(++deploys, Instant.EPOCH));
        traffic = List.of();
        return this;
    }

    LiveFunction rescale(Specs specs) {
        Version newest = versions.removeLast();
        versions.add(specs.version(newest.number(), Instant.EPOCH));
        return this;
    }

    LiveFunction traffic(io.knabla.functions.spec.FunctionSpec.TrafficTarget... wish) {
        traffic = List.of(wish);
        return this;
    }

    LiveFunction forget(int index) {
        versions.remove(index);
        return this;
    }

    /** Steps until nothing is left to do and the Route's status matches its spec. */
    LiveFunction settle() {
        await().untilAsserted(() -> {
            Rollout rollout = step();
            assertThat(rollout.isConverged()).as(rollout.toString()).isTrue();
            assertThat(rollout.reason()).startsWith("every revision");
            assertThat(served())
                    .isEqualTo(percents(get(Route.class, "digits").getSpec().getTraffic()));
        });
        return this;
    }

    Rollout step() {
        Rollout rollout = Rollout.next(
                new FunctionRecord(new FunctionId(namespace, "digits"), versions, traffic, ""),
                owner,
                new ObservedObjects(
                        list(Configuration.class),
                        list(Revision.class),
                        list(Route.class).stream().findFirst()),
                terrain(),
                new PodSettings(
                        TestCluster.registry() + "/hello:1",
                        Optional.of(new GpuPods(TestCluster.registry() + "/hello:1")),
                        Optional.empty(),
                        new StoreAccess("s3://bucket", Map.of("AWS_ACCESS_KEY_ID", "id")),
                        Map.of(),
                        Architecture.ofThisProcess()),
                Map.of(),
                true);
        rollout.apply().forEach(object -> client.resource(object).patch(OURS));
        rollout.bounds().forEach(this::annotate);
        rollout.deleteRevisions().forEach(name -> delete(Revision.class, name));
        rollout.deleteConfigurations().forEach(name -> delete(Configuration.class, name));
        return rollout;
    }

    private ClusterCapabilities terrain() {
        Installation knative = InstallationReader.read(client);
        return new ClusterCapabilities(
                AvailableCapacity.of(client.nodes().list().getItems(), List.of()),
                knative.features(),
                knative.limits());
    }

    private void annotate(String revision, Map<String, String> annotations) {
        client.resources(Revision.class)
                .inNamespace(namespace)
                .withName(revision)
                .edit(there -> new RevisionBuilder(there)
                        .editMetadata()
                        .addToAnnotations(annotations)
                        .endMetadata()
                        .build());
    }

    private void delete(Class<? extends HasMetadata> kind, String name) {
        client.resources(kind).inNamespace(namespace).withName(name).delete();
    }

    <T extends HasMetadata> T get(Class<T> kind, String name) {
        return client.resources(kind).inNamespace(namespace).withName(name).get();
    }

    <T extends HasMetadata> List<T> list(Class<T> kind) {
        return client.resources(kind).inNamespace(namespace).list().getItems();
    }

    Set<String> uids(Class<? extends HasMetadata> kind) {
        return list(kind).stream().map(o -> o.getMetadata().getUid()).collect(Collectors.toSet());
    }

    String only(Class<? extends HasMetadata> kind) {
        assertThat(list(kind)).hasSize(1);
        return list(kind).getFirst().getMetadata().getName();
    }

    Map<String, Integer> served() {
        return percents(get(Route.class, "digits").getStatus().getTraffic());
    }

    private static Map<String, Integer> percents(List<TrafficTarget> traffic) {
        return traffic.stream()
                .collect(Collectors.toMap(
                        TrafficTarget::getRevisionName, t -> t.getPercent().intValue()));
    }
}
