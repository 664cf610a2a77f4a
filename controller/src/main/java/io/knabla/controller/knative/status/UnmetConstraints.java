package io.knabla.controller.knative.status;

import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeAffinity;
import io.fabric8.kubernetes.api.model.NodeSelector;
import io.fabric8.kubernetes.api.model.NodeSelectorRequirement;
import io.fabric8.kubernetes.api.model.NodeSelectorTerm;
import io.fabric8.kubernetes.api.model.PodSpec;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Lists the node selector and affinity requirements of a pod that no node meets. The scheduler's message does not name
 * them.
 */
final class UnmetConstraints {
    private UnmetConstraints() {}

    /**
     * Returns text such as {@code karpenter.sh/capacity-type=spot or eks.amazonaws.com/capacityType=SPOT}; empty when
     * nodes meet every requirement.
     */
    static String missing(PodSpec pod, List<Node> nodes) {
        Stream<String> selector =
                Objects.requireNonNullElse(pod.getNodeSelector(), Map.<String, String>of()).entrySet().stream()
                        .map(label -> new NodeSelectorRequirement(label.getKey(), "In", List.of(label.getValue())))
                        .filter(demand -> isUnmet(demand, nodes))
                        .map(UnmetConstraints::text);
        Stream<String> affinity = terms(pod)
                .map(term -> missing(term, nodes))
                .collect(Collectors.collectingAndThen(Collectors.toList(), UnmetConstraints::either))
                .stream();
        return Stream.concat(selector, affinity).collect(Collectors.joining(" and "));
    }

    /** Whether the pod's affinity says something of a label. */
    static boolean demands(PodSpec pod, String label) {
        return terms(pod)
                .flatMap(term -> term.getMatchExpressions().stream())
                .anyMatch(demand -> demand.getKey().equals(label));
    }

    /** Affinity terms are alternatives: one term that a node meets is enough. */
    private static Optional<String> either(List<String> terms) {
        return terms.isEmpty() || terms.stream().anyMatch(String::isEmpty)
                ? Optional.empty()
                : Optional.of(terms.stream().distinct().collect(Collectors.joining(" or ")));
    }

    private static Stream<NodeSelectorTerm> terms(PodSpec pod) {
        return Optional.ofNullable(pod.getAffinity())
                .map(Affinity::getNodeAffinity)
                .map(NodeAffinity::getRequiredDuringSchedulingIgnoredDuringExecution)
                .map(NodeSelector::getNodeSelectorTerms)
                .stream()
                .flatMap(List::stream);
    }

    private static String missing(NodeSelectorTerm term, List<Node> nodes) {
        return term.getMatchExpressions().stream()
                .filter(demand -> isUnmet(demand, nodes))
                .map(UnmetConstraints::text)
                .collect(Collectors.joining(" and "));
    }

    private static boolean isUnmet(NodeSelectorRequirement demand, List<Node> nodes) {
        return nodes.stream().noneMatch(node -> meets(node, demand));
    }

    private static boolean meets(Node node, NodeSelectorRequirement demand) {
        Optional<String> value = FunctionSnapshot.label(node, demand.getKey());
        return switch (demand.getOperator()) {
            case "In" -> value.filter(demand.getValues()::contains).isPresent();
            case "NotIn" -> value.filter(demand.getValues()::contains).isEmpty();
            case "Exists" -> value.isPresent();
            case "DoesNotExist" -> value.isEmpty();
            // Gt and Lt: Knabla never writes them; for others' pods the scheduler's message must do.
            default -> true;
        };
    }

    private static String text(NodeSelectorRequirement demand) {
        String values = String.join("|", Objects.requireNonNullElse(demand.getValues(), List.of()));
        return switch (demand.getOperator()) {
            case "In" -> demand.getKey() + "=" + values;
            case "NotIn" -> demand.getKey() + "!=" + values;
            case "DoesNotExist" -> "no " + demand.getKey();
            default -> demand.getKey();
        };
    }
}
