package io.knabla.controller.knative;

import static java.lang.System.Logger.Level.ERROR;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.FilterWatchListDeletable;
import io.fabric8.kubernetes.client.dsl.PodResource;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.catalog.FunctionListeners;
import io.knabla.controller.knative.capacity.AvailableCapacity;
import io.knabla.controller.knative.capacity.ClusterNode;
import io.knabla.controller.knative.resource.Labels;
import io.knabla.controller.machine.Node;
import io.knabla.controller.platform.ClusterView;
import io.knabla.controller.platform.Replica;
import io.knabla.functions.spec.FunctionSpec.Pool;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Watches the pods of all workloads and the nodes of the cluster; answers from memory. While the API server cannot be
 * reached, answers stay at its last known state.
 */
public final class KnativeView implements ClusterView, AutoCloseable {
    private static final System.Logger LOG = System.getLogger(KnativeView.class.getName());
    private static final String BY_FUNCTION = "function";

    private final List<String> namespaces;
    private final List<SharedIndexInformer<Pod>> pods;
    private final SharedIndexInformer<io.fabric8.kubernetes.api.model.Node> nodes;
    private final NodePools nodePools;
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();
    private final FunctionListeners followers = new FunctionListeners();
    private final List<Runnable> nodeFollowers = new CopyOnWriteArrayList<>();

    private KnativeView(KubernetesClient client, List<String> namespaces) {
        this.namespaces = List.copyOf(namespaces);
        nodes = Informers.of(client.nodes(), KnativeView::small);
        nodes.addEventHandler(new ChangeHandler<>(_ -> nodeFollowers.forEach(Runnable::run)));
        nodes.addEventHandler(new NodeLossHandler());
        nodePools = new NodePools(client, () -> nodeFollowers.forEach(Runnable::run));
        pods = namespaces.isEmpty()
                ? List.of(pods(client.pods().inAnyNamespace().withLabel(Labels.VERSION)))
                : namespaces.stream()
                        .map(name -> client.pods().inNamespace(name).withLabel(Labels.VERSION))
                        .map(this::pods)
                        .toList();
    }

    /** Starts the watches; a watch that fails is retried. */
    public static KnativeView open(KubernetesClient client, List<String> namespaces) {
        var view = new KnativeView(client, namespaces);
        view.informers().forEach(SharedIndexInformer::start);
        view.nodePools.start();
        return view;
    }

    private SharedIndexInformer<Pod> pods(FilterWatchListDeletable<Pod, ?, PodResource> which) {
        SharedIndexInformer<Pod> informer = Informers.of(which, UnaryOperator.identity());
        informer.addIndexers(Map.of(
                BY_FUNCTION,
                pod -> WorkloadLabels.function(pod).map(FunctionId::toString).stream()
                        .toList()));
        return informer.addEventHandler(new ReplicaNotifier()).addEventHandler(new ChangeHandler<>(this::follow));
    }

    private Stream<SharedIndexInformer<?>> informers() {
        return Stream.concat(Stream.of(nodes), pods.stream());
    }

    /** Whether every watch of pods and nodes has received its first list. */
    public boolean hasSynced() {
        return informers().allMatch(SharedIndexInformer::hasSynced);
    }

    /** Whether the pods of a namespace are among those that it watches. */
    public boolean watches(String namespace) {
        return namespaces.isEmpty() || namespaces.contains(namespace);
    }

    @Override
    public List<Replica> replicas() {
        return podObjects().stream().flatMap(pod -> PodReplica.of(pod).stream()).toList();
    }

    /** Pods of all versions of a function, as the API server has them. */
    public List<Pod> pods(FunctionId function) {
        return pods.stream()
                .flatMap(informer -> informer.getIndexer().byIndex(BY_FUNCTION, function.toString()).stream())
                .toList();
    }

    /** Pods of all workloads, those of other objects than functions too, as the API server has them. */
    public List<Pod> podObjects() {
        return pods.stream()
                .flatMap(informer -> informer.getStore().list().stream())
                .toList();
    }

    @Override
    public List<Node> nodes() {
        return nodes.getStore().list().stream().map(ClusterNode::of).toList();
    }

    /** A pool without a node counts where Karpenter brings one. */
    @Override
    public boolean canHave(Pool pool) {
        List<GenericKubernetesResource> karpenter = nodePools().orElse(List.of());
        return AvailableCapacity.of(nodeObjects(), karpenter).slots().stream().anyMatch(slot -> slot.pool() == pool);
    }

    /** Karpenter's; empty until the first list is complete, an empty list if Karpenter is not installed. */
    public Optional<List<GenericKubernetesResource>> nodePools() {
        return nodePools.list();
    }

    /** The node as the API server has it; empty if there is none of that name. */
    public Optional<io.fabric8.kubernetes.api.model.Node> node(String name) {
        return Optional.ofNullable(nodes.getStore().getByKey(name));
    }

    /** All nodes, as the API server has them. */
    public List<io.fabric8.kubernetes.api.model.Node> nodeObjects() {
        return nodes.getStore().list();
    }

    /** Calls the handlers for every pod of a workload and for every node, those that are known already first. */
    public void follow(
            ResourceEventHandler<Pod> podHandler,
            ResourceEventHandler<io.fabric8.kubernetes.api.model.Node> nodeHandler) {
        nodes.addEventHandler(nodeHandler);
        follow(podHandler);
    }

    /** The same for pods alone. */
    public void follow(ResourceEventHandler<Pod> podHandler) {
        pods.forEach(informer -> informer.addEventHandler(podHandler));
    }

    /**
     * Calls the follower with the function of a pod on every event of that pod, even if nothing relevant changed.
     *
     * @return removes the follower
     */
    public Runnable onPod(Consumer<FunctionId> follower) {
        return followers.add(follower);
    }

    /**
     * Calls the follower on every event of a node, or of Karpenter's NodePools.
     *
     * @return removes the follower
     */
    public Runnable onNodes(Runnable follower) {
        nodeFollowers.add(follower);
        return () -> nodeFollowers.remove(follower);
    }

    private void follow(Pod pod) {
        WorkloadLabels.function(pod).ifPresent(followers::tell);
    }

    /** Drops the list of images: a node lists every image it has. */
    private static io.fabric8.kubernetes.api.model.Node small(io.fabric8.kubernetes.api.model.Node node) {
        if (node.getStatus() != null) {
            node.getStatus().setImages(null);
        }
        return node;
    }

    @Override
    public void onChange(Listener listener) {
        listeners.add(listener);
    }

    @Override
    public void close() {
        informers().forEach(SharedIndexInformer::close);
        nodePools.close();
    }

    /** Notifies listeners of changed replicas; ignores updates that change only the resource version. */
    private final class ReplicaNotifier implements ResourceEventHandler<Pod> {
        @Override
        public void onAdd(Pod pod) {
            PodReplica.of(pod).ifPresent(this::tell);
        }

        @Override
        public void onUpdate(Pod before, Pod pod) {
            Optional<Replica> now = PodReplica.of(pod);
            if (!now.equals(PodReplica.of(before))) {
                now.ifPresent(this::tell);
            }
        }

        @Override
        public void onDelete(Pod pod, boolean unseen) {
            PodReplica.of(pod).map(PodReplica::gone).ifPresent(this::tell);
        }

        private void tell(Replica replica) {
            for (Listener listener : listeners) {
                try {
                    listener.changed(replica);
                } catch (RuntimeException bug) {
                    LOG.log(ERROR, "a listener failed on " + replica.id(), bug);
                }
            }
        }
    }

    /** Notifies followers of the pods on a node that was deleted or changed readiness: their own events come later. */
    private final class NodeLossHandler implements ResourceEventHandler<io.fabric8.kubernetes.api.model.Node> {
        @Override
        public void onAdd(io.fabric8.kubernetes.api.model.Node node) {}

        @Override
        public void onUpdate(io.fabric8.kubernetes.api.model.Node before, io.fabric8.kubernetes.api.model.Node node) {
            if (ClusterNode.ready(before) != ClusterNode.ready(node)) {
                tell(node);
            }
        }

        @Override
        public void onDelete(io.fabric8.kubernetes.api.model.Node node, boolean unseen) {
            tell(node);
        }

        private void tell(io.fabric8.kubernetes.api.model.Node node) {
            String name = node.getMetadata().getName();
            podObjects().stream()
                    .filter(pod -> name.equals(pod.getSpec().getNodeName()))
                    .forEach(KnativeView.this::follow);
        }
    }
}
