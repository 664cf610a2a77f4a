package io.knabla.controller.knative.reconcile;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.knabla.controller.catalog.Catalog;
import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.catalog.FunctionRecord;
import io.knabla.controller.catalog.Version;
import io.knabla.controller.cost.query.CurrentPrices;
import io.knabla.controller.deploy.DeployResult;
import io.knabla.controller.deploy.TrafficChange;
import io.knabla.controller.deploy.UnitProvenance;
import io.knabla.controller.home.StoreAccess;
import io.knabla.controller.knative.KnativeView;
import io.knabla.controller.knative.WakePool;
import io.knabla.controller.knative.manifest.PodSettings;
import io.knabla.controller.knative.reconcile.FunctionOperator.CatalogServices;
import io.knabla.controller.knative.reconcile.FunctionOperator.Dependencies;
import io.knabla.controller.knative.reconcile.FunctionOperator.OperatorConfig;
import io.knabla.controller.knative.resource.FunctionObject;
import io.knabla.controller.knative.rights.RefusedTasks;
import io.knabla.controller.machine.Architecture;
import io.knabla.controller.platform.FunctionResources;
import io.knabla.controller.price.RowBook;
import io.knabla.controller.standin.MapCatalog;
import io.knabla.functions.spec.FunctionResource;
import io.knabla.functions.unit.Digest;
import io.knabla.storage.memory.MemoryObjectStore;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Mock API server with a node and Knative's settings; starts operators whose deploys the test supplies. */
final class OperatorFixture implements AutoCloseable {
    static final String NAMESPACE = "shop";
    static final FunctionId DIGITS = new FunctionId(NAMESPACE, "digits");
    /** Every call is allowed. */
    private static final RefusedTasks NOTHING_REFUSED =
            new RefusedTasks(Set.of(), _ -> true, Clock.systemUTC(), () -> true);

    static final Digest UNIT = new Digest("sha256:" + "a".repeat(64));

    final ServerSideApplyMock server = new ServerSideApplyMock();
    final KubernetesClient client = server.client();
    final Catalog catalog = new MapCatalog();

    /** Offset of the operators' clock. */
    volatile Duration ahead = Duration.ZERO;

    private final Clock clock = ((InstantSource) () -> Instant.now().plus(ahead)).withZone(ZoneOffset.UTC);
    private final KnativeView view;
    private final UnitProvenance origins = new UnitProvenance(new MemoryObjectStore());
    private final CurrentPrices prices = new CurrentPrices(() -> new RowBook(List.of()));
    private final List<FunctionOperator> operators = new ArrayList<>();

    OperatorFixture() {
        // The mock needs the CRD to keep generations and statuses.
        client.resource(Serialization.unmarshal(
                        read("../k8s/base/crd/functions.knabla.dev.yaml"), CustomResourceDefinition.class))
                .create();
        client.resource(new NodeBuilder()
                        .withNewMetadata()
                        .withName("node")
                        .endMetadata()
                        .withNewStatus()
                        .addNewCondition()
                        .withType("Ready")
                        .withStatus("True")
                        .endCondition()
                        .endStatus()
                        .build())
                .create();
        client.resource(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withNamespace(ClusterWatch.KNATIVE)
                        .withName("config-features")
                        .endMetadata()
                        .addToData("kubernetes.podspec-affinity", "enabled")
                        .addToData("kubernetes.podspec-tolerations", "enabled")
                        .addToData("kubernetes.podspec-volumes-emptydir", "enabled")
                        .build())
                .create();
        view = KnativeView.open(client, List.of());
    }

    /** @param packagings shared by all operators that one controller runs in sequence */
    Dependencies parts(String instance, PackagingQueue packagings) {
        return new Dependencies(
                client,
                view,
                new CatalogServices(
                        catalog, new TrafficChange(catalog, FunctionResources.None.NONE), origins, packagings, prices),
                new OperatorConfig(
                        new PodSettings(
                                "registry/replica:1",
                                Optional.empty(),
                                Optional.empty(),
                                new StoreAccess("s3://bucket/prefix", Map.of("AWS_ACCESS_KEY_ID", "id")),
                                Map.of(),
                                Architecture.ofThisProcess()),
                        List.of(),
                        instance,
                        () -> RolloutNeeds.NONE,
                        () -> WakePool.NONE,
                        () -> NOTHING_REFUSED),
                clock,
                new SimpleMeterRegistry());
    }

    /** Starts an operator in a new controller. */
    FunctionOperator startOperator(Function<FunctionResource, DeployResult> deployer) {
        return startOperator(packagings(deployer));
    }

    /** Starts an operator in a controller that leads again. */
    FunctionOperator startOperator(PackagingQueue packagings) {
        FunctionOperator operator = FunctionOperator.open(parts("one", packagings), () -> true);
        operators.add(operator);
        return operator;
    }

    PackagingQueue packagings(Function<FunctionResource, DeployResult> deployer) {
        return new PackagingQueue(
                new OrphanCleaningDeployer(client, catalog, order -> deployer.apply(order.resource())),
                PackagingQueue.boundedExecutor(),
                Clock.systemUTC());
    }

    /** Records a deploy like the deployer on a cluster, where the resource sets the traffic. */
    DeployResult record(FunctionResource wish) {
        return record(wish, Instant.now());
    }

    DeployResult record(FunctionResource wish, Instant created) {
        var id = new FunctionId(wish.namespace(), wish.name());
        Optional<FunctionRecord> before = catalog.find(id);
        if (before.filter(it -> FunctionParser.equalIgnoringTraffic(it.latest().spec(), wish.spec()))
                .isPresent()) {
            return new DeployResult.Unchanged(before.get(), before.get().latest(), List.of());
        }
        List<Version> versions =
                new ArrayList<>(before.map(FunctionRecord::versions).orElse(List.of()));
        var version = new Version(versions.size() + 1, wish.spec(), UNIT, UNIT, created);
        versions.add(version);
        FunctionRecord written = catalog.update(
                id,
                now -> now.map(it -> it.with(versions, it.pinnedTraffic()))
                        .orElseGet(() -> new FunctionRecord(id, versions, List.of(), "etag")));
        return new DeployResult.Deployed(written, version, List.of());
    }

    void apply(String name, int concurrency) {
        ObjectNode spec = JsonNodeFactory.instance.objectNode();
        spec.put("model", UNIT.value());
        spec.putObject("scaling").put("concurrency", concurrency);
        apply(name, spec);
    }

    void apply(String name, ObjectNode spec) {
        FunctionObject object = new FunctionObject();
        object.getMetadata().setNamespace(NAMESPACE);
        object.getMetadata().setName(name);
        object.setSpec(spec);
        var there =
                client.resources(FunctionObject.class).inNamespace(NAMESPACE).withName(name);
        if (there.get() == null) {
            client.resource(object).create();
        } else {
            // Without a resource version: the operator writes the status concurrently.
            there.patch(
                    PatchContext.of(PatchType.JSON),
                    Serialization.asJson(List.of(Map.of("op", "replace", "path", "/spec", "value", spec))));
        }
    }

    void delete(String name) {
        client.resources(FunctionObject.class)
                .inNamespace(NAMESPACE)
                .withName(name)
                .delete();
    }

    Optional<FunctionObject> function(String name) {
        return Optional.ofNullable(client.resources(FunctionObject.class)
                .inNamespace(NAMESPACE)
                .withName(name)
                .get());
    }

    /** Status and reason, such as {@code True Packaged}; empty if there is no such condition. */
    String condition(String name, String type) {
        return function(name)
                .map(FunctionObject::getStatus)
                .flatMap(status -> status.conditions().stream()
                        .filter(condition -> condition.getType().equals(type))
                        .findFirst())
                .map(condition -> condition.getStatus() + " " + condition.getReason())
                .orElse("");
    }

    private static String read(String file) {
        try {
            return java.nio.file.Files.readString(Path.of(file));
        } catch (java.io.IOException absent) {
            throw new java.io.UncheckedIOException(absent);
        }
    }

    @Override
    public void close() {
        operators.forEach(FunctionOperator::close);
        prices.close();
        view.close();
        client.close();
        server.close();
    }
}
