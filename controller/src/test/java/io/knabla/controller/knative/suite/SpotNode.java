package io.knabla.controller.knative.suite;

import static io.knabla.controller.knative.suite.TestCluster.await;

import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Taint;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A real node of spot capacity, which the command of {@link #COMMAND} adds and takes away; tainted as those of our
 * Karpenter pools, so that only functions run there.
 */
final class SpotNode implements AutoCloseable {
    /**
     * Names a command with the verbs {@code add NAME --labels K=V --taints KEY:EFFECT}, {@code kill NAME} and
     * {@code stop NAME}.
     */
    static final String COMMAND = "KNABLA_TEST_NODE";

    private final TestCluster cluster;
    private final String name;
    private boolean up;

    SpotNode(TestCluster cluster, String name) {
        this.cluster = cluster;
        this.name = name;
        add();
    }

    String name() {
        return name;
    }

    /** As it was when it was added, whatever was done to it. */
    void restore() {
        if (!up) {
            replace();
            return;
        }
        cluster.client()
                .nodes()
                .withName(name)
                .edit(node -> new NodeBuilder(node)
                        .editSpec()
                        .withUnschedulable(null)
                        .withTaints(new Taint("NoSchedule", "knabla.dev/spot", null, null))
                        .endSpec()
                        .build());
    }

    private void add() {
        run(
                "add",
                name,
                "--labels",
                "karpenter.sh/capacity-type=spot,topology.kubernetes.io/zone=" + name,
                "--taints",
                "knabla.dev/spot:NoSchedule");
        up = true;
        await().until(() -> cluster.client().nodes().withName(name).isReady());
    }

    void taint() {
        cluster.kubectl("taint", "node", name, "aws-node-termination-handler/spot-itn=:NoSchedule")
                .good();
    }

    void untaint() {
        cluster.kubectl("taint", "node", name, "aws-node-termination-handler/spot-itn-")
                .good();
    }

    void drain() {
        cluster.kubectl("drain", name, "--ignore-daemonsets", "--delete-emptydir-data", "--force")
                .good();
    }

    void uncordon() {
        cluster.kubectl("uncordon", name).good();
    }

    /** The machine is lost without a word, if it is not yet; its Node object stays. */
    void kill() {
        if (up) {
            up = false;
            run("kill", name);
        }
    }

    /** A new machine of this name, with an empty disk. */
    void replace() {
        run("stop", name);
        forgetPods();
        add();
    }

    /** A cloud gives a machine a new name. This one's kubelet would start anew what was bound to the one before it. */
    private void forgetPods() {
        cluster.kubectl(
                        "delete",
                        "pods",
                        "--all-namespaces",
                        "--field-selector=spec.nodeName=" + name,
                        "--force",
                        "--grace-period=0")
                .good();
    }

    @Override
    public void close() {
        run("stop", name);
    }

    private static void run(String... arguments) {
        List<String> command = new ArrayList<>(List.of(System.getenv(COMMAND)));
        command.addAll(List.of(arguments));
        Ran.of(command, Map.of(), "").good();
    }
}
