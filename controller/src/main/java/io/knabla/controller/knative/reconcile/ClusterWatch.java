package io.knabla.controller.knative.reconcile;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.knabla.controller.knative.ChangeHandler;
import io.knabla.controller.knative.Informers;
import io.knabla.controller.knative.KnativeView;
import io.knabla.controller.knative.capacity.AvailableCapacity;
import io.knabla.controller.knative.manifest.ClusterCapabilities;
import io.knabla.controller.knative.preflight.InstallationReader;
import io.knabla.controller.knative.preflight.Preflight;
import io.knabla.controller.knative.settings.Feature;
import io.knabla.controller.knative.settings.Features;
import io.knabla.controller.knative.settings.Limits;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Watches nodes, Karpenter's NodePools and Knative's settings. A change triggers a reconciliation of all functions. */
final class ClusterWatch implements AutoCloseable {
    static final String KNATIVE = "knative-serving";

    private static final Set<String> READ = Set.of(Feature.CONFIG_MAP, Limits.DEFAULTS, Limits.AUTOSCALER);

    private final KnativeView view;
    private final SharedIndexInformer<ConfigMap> settings;
    private final Runnable changed;
    private final Runnable unfollow;
    private Optional<ClusterCapabilities> last = Optional.empty();

    private ClusterWatch(KubernetesClient client, KnativeView view, Runnable changed) {
        this.view = view;
        this.changed = changed;
        settings = Informers.of(client.configMaps().inNamespace(KNATIVE), ClusterWatch::small);
        settings.addEventHandler(new ChangeHandler<>(_ -> notifyIfChanged()));
        unfollow = view.onNodes(this::notifyIfChanged);
    }

    /** Starts the watches; a watch that fails is retried. */
    static ClusterWatch open(KubernetesClient client, KnativeView view, Runnable changed) {
        var watch = new ClusterWatch(client, view, changed);
        watch.settings.start();
        return watch;
    }

    /** Empty until every watch has received its first list. */
    Optional<ClusterCapabilities> capabilities() {
        return view.hasSynced() && settings.hasSynced() ? view.nodePools().map(this::capabilities) : Optional.empty();
    }

    private ClusterCapabilities capabilities(List<GenericKubernetesResource> pools) {
        return new ClusterCapabilities(
                AvailableCapacity.of(view.nodeObjects(), pools),
                Features.of(data(Feature.CONFIG_MAP)),
                Limits.of(data(Limits.DEFAULTS), data(Limits.AUTOSCALER)),
                tooOld());
    }

    /** Names the objects that no list has been received of yet, as text for people. */
    String missing() {
        return Stream.of(
                        view.hasSynced() ? "" : "its nodes and the functions' pods",
                        settings.hasSynced() ? "" : "the ConfigMaps of namespace " + KNATIVE,
                        view.nodePools().isPresent() ? "" : "Karpenter's NodePools")
                .filter(what -> !what.isEmpty())
                .collect(Collectors.joining(", "));
    }

    /** Reads the release from a label that each of Knative's ConfigMaps has. */
    private Optional<String> tooOld() {
        return settings.getStore().list().stream()
                .filter(map -> map.getMetadata().getName().equals(Feature.CONFIG_MAP))
                .flatMap(map -> Preflight.tooOld(InstallationReader.version(map)).stream())
                .findFirst();
    }

    @Override
    public void close() {
        unfollow.run();
        settings.close();
    }

    private synchronized void notifyIfChanged() {
        Optional<ClusterCapabilities> now = capabilities();
        if (now.isPresent() && !now.equals(last)) {
            last = now;
            changed.run();
        }
    }

    private Map<String, String> data(String name) {
        return Optional.ofNullable(settings.getStore().getByKey(KNATIVE + "/" + name))
                .map(ConfigMap::getData)
                .orElse(Map.of());
    }

    /** Drops annotations and examples: Knative's ConfigMaps have long ones. */
    private static ConfigMap small(ConfigMap map) {
        map.getMetadata().setAnnotations(null);
        if (READ.contains(map.getMetadata().getName()) && map.getData() != null) {
            map.getData().remove("_example");
        } else {
            map.setData(null);
        }
        return map;
    }
}
