package io.knabla.controller.knative.status;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.knabla.controller.knative.capacity.ClusterNode;
import io.knabla.controller.knative.resource.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Explains why the scheduler finds no node: its message, the details that it omits, and the remedies. */
final class Scheduling {
    private static final Pattern NODES = Pattern.compile("0/(\\d+) nodes are available");
    private static final Pattern INSUFFICIENT = Pattern.compile("\\d+ Insufficient ([\\w./-]+\\w)");
    private static final String LABELS = "didn't match Pod's node affinity/selector";
    private static final String TAINTS = "untolerated taint";

    private final PodSpec pod;
    private final String said;
    private final List<Node> nodes;

    private Scheduling(PodSpec pod, String said, List<Node> nodes) {
        this.pod = pod;
        this.said = said;
        this.nodes = nodes;
    }

    /** @param said message of the scheduler, such as {@code 0/3 nodes are available: …} */
    static Trouble trouble(PodSpec pod, String said, List<Node> nodes) {
        return new Scheduling(pod, said, nodes).trouble();
    }

    private Trouble trouble() {
        List<String> lacks = new ArrayList<>();
        List<String> cures = new ArrayList<>();
        labels(lacks, cures);
        resources(lacks, cures);
        taints(lacks, cures);
        String why = lacks.isEmpty() ? plain() : String.join("; ", lacks);
        return Trouble.placing(
                Reason.Unschedulable,
                "%s takes a replica: %s. An autoscaler such as Karpenter may bring a node that does%s."
                        .formatted(count(), why, cures.isEmpty() ? "" : "; else " + String.join(", or ", cures)));
    }

    private void labels(List<String> lacks, List<String> cures) {
        if (!said.contains(LABELS)) {
            return;
        }
        String missing = UnmetConstraints.missing(pod, nodes);
        if (missing.isEmpty()) {
            lacks.add("the nodes with the labels that it demands cannot take it");
            wholeGpus(cures);
            return;
        }
        lacks.add("no node has the label %s".formatted(missing));
        if (missing.contains(ClusterNode.GPU_REPLICAS)) {
            cures.add(
                    "write spec.resources.gpu: 1 if nodes offer whole GPUs, or let NVIDIA's device plugin share them (sharing.timeSlicing.replicas, sharing.mps.replicas), which sets that label");
            return;
        }
        cures.add("label a node so (kubectl label node NODE KEY=VALUE)");
        if (missing.contains("capacity")) {
            cures.add("set spec.placement.capacity to what the nodes are");
        }
    }

    private void wholeGpus(List<String> cures) {
        if (UnmetConstraints.demands(pod, ClusterNode.GPU_SHARING)
                && nodes.stream().anyMatch(Scheduling::sharesGpus)) {
            cures.add(
                    "write a share such as spec.resources.gpu: 0.25, since nodes share their GPUs (label %s) and 1 is a whole one"
                            .formatted(ClusterNode.GPU_SHARING));
        }
    }

    private static boolean sharesGpus(Node node) {
        return FunctionSnapshot.label(node, ClusterNode.GPU_SHARING)
                .filter(ClusterNode.GPU_SHARED::contains)
                .isPresent();
    }

    private void resources(List<String> lacks, List<String> cures) {
        for (String resource : insufficient()) {
            lacks.add(ResourceShortage.describe(resource, pod, usable()));
            cures.add(ResourceShortage.cure(resource));
        }
    }

    /** Nodes with taints that the pod tolerates; all nodes if there are none. */
    private List<Node> usable() {
        List<Node> usable = nodes.stream()
                .filter(node -> Taints.untolerated(pod, List.of(node)).isEmpty())
                .toList();
        return usable.isEmpty() ? nodes : usable;
    }

    private Set<String> insufficient() {
        Matcher matcher = INSUFFICIENT.matcher(said);
        Set<String> resources = new TreeSet<>();
        while (matcher.find()) {
            resources.add(matcher.group(1));
        }
        return resources;
    }

    private void taints(List<String> lacks, List<String> cures) {
        if (!said.contains(TAINTS)) {
            return;
        }
        List<String> untolerated = Taints.untolerated(pod, nodes);
        if (untolerated.isEmpty()) {
            lacks.add("there are taints that it does not tolerate");
        } else {
            lacks.add(untolerated.stream()
                    .collect(Collectors.joining(", ", "other nodes are kept free of it by the taint ", "")));
        }
        if (lacks.size() == 1) {
            cures.add("take the taint off a node (kubectl taint node NODE TAINT-)");
        }
    }

    private String plain() {
        int end = said.indexOf(". preemption");
        int claims = said.indexOf(". no new claims");
        int first = claims >= 0 ? claims : end;
        return first >= 0 ? said.substring(0, first) : said;
    }

    private String count() {
        Matcher matcher = NODES.matcher(said);
        int known = matcher.find() ? Integer.parseInt(matcher.group(1)) : nodes.size();
        return known == 1 ? "no node (there is one)" : "none of %d nodes".formatted(known);
    }
}
