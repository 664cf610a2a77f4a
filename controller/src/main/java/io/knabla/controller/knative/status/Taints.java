package io.knabla.controller.knative.status;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Taint;
import io.fabric8.kubernetes.api.model.Toleration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** Lists the taints that a pod does not tolerate; since Kubernetes 1.34 the scheduler's message omits their names. */
final class Taints {
    private Taints() {}

    /** Sorted, each in a form such as {@code nvidia.com/gpu=true:NoSchedule}. */
    static List<String> untolerated(PodSpec pod, List<Node> nodes) {
        List<Toleration> tolerations = Objects.requireNonNullElse(pod.getTolerations(), List.of());
        return nodes.stream()
                .flatMap(Taints::of)
                .filter(taint -> !"PreferNoSchedule".equals(taint.getEffect()))
                .filter(taint -> tolerations.stream().noneMatch(toleration -> tolerates(toleration, taint)))
                .map(Taints::text)
                .distinct()
                .sorted()
                .toList();
    }

    private static Stream<Taint> of(Node node) {
        return node.getSpec() == null || node.getSpec().getTaints() == null
                ? Stream.empty()
                : node.getSpec().getTaints().stream();
    }

    private static boolean tolerates(Toleration toleration, Taint taint) {
        boolean effect = empty(toleration.getEffect()) || toleration.getEffect().equals(taint.getEffect());
        boolean key = empty(toleration.getKey()) || toleration.getKey().equals(taint.getKey());
        boolean value = "Exists".equals(toleration.getOperator())
                || Objects.requireNonNullElse(toleration.getValue(), "")
                        .equals(Objects.requireNonNullElse(taint.getValue(), ""));
        return effect && key && value;
    }

    private static boolean empty(String text) {
        return text == null || text.isEmpty();
    }

    private static String text(Taint taint) {
        return taint.getKey() + (empty(taint.getValue()) ? "" : "=" + taint.getValue()) + ":" + taint.getEffect();
    }
}
