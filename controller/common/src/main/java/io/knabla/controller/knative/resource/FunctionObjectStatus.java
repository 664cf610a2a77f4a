package io.knabla.controller.knative.resource;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Status of a {@code Function}, written by the operator; unknown fields are null.
 *
 * @param tags URLs by tag of spec.traffic; null without tags
 * @param unit digest of the newest version's unit
 * @param pool cpu, gpu, or both with a comma
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record FunctionObjectStatus(
        Long observedGeneration,
        String url,
        Map<String, String> tags,
        Integer latestVersion,
        Integer readyVersion,
        String pool,
        Replicas replicas,
        Cost cost,
        String unit,
        JsonNode analysis,
        List<Condition> conditions) {
    /** Creates a status with one condition and nothing else. */
    public static FunctionObjectStatus of(Condition condition) {
        return new FunctionObjectStatus(null, null, null, null, null, null, null, null, null, null, List.of(condition));
    }

    /** Replaces the condition of the same type, or adds it. */
    public FunctionObjectStatus with(Condition condition) {
        Stream<Condition> others = Stream.ofNullable(conditions)
                .flatMap(List::stream)
                .filter(other -> !other.getType().equals(condition.getType()));
        return new FunctionObjectStatus(
                observedGeneration,
                url,
                tags,
                latestVersion,
                readyVersion,
                pool,
                replicas,
                cost,
                unit,
                analysis,
                Stream.concat(others, Stream.of(condition))
                        .sorted(Comparator.comparing(Condition::getType))
                        .toList());
    }

    /** @param now null if it is not known */
    public FunctionObjectStatus withCost(Cost now) {
        return new FunctionObjectStatus(
                observedGeneration,
                url,
                tags,
                latestVersion,
                readyVersion,
                pool,
                replicas,
                now,
                unit,
                analysis,
                conditions);
    }

    /**
     * What the running replicas cost.
     *
     * @param perHour in US dollars, with two significant digits
     * @param saved share saved against on-demand nodes, such as {@code 62%}; null without a replica
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Cost(String perHour, String saved) {}

    /** Number of ready pods by capacity type of their node. */
    public record Replicas(int onDemand, int spot) {}
}
