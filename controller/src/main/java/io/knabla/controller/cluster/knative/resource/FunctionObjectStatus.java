package io.knabla.controller.cluster.knative.resource;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * What the platform says of a function; null where it is not known yet.
 *
 * @param unit digest of the newest version's
 * @param pool cpu, gpu, or both with a comma
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record FunctionObjectStatus(
        Long observedGeneration,
        String url,
        Integer latestVersion,
        Integer readyVersion,
        String pool,
        Replicas replicas,
        String unit,
        JsonNode analysis,
        List<Condition> conditions) {
    /** Where nothing else is known. */
    public static FunctionObjectStatus of(Condition condition) {
        return new FunctionObjectStatus(null, null, null, null, null, null, null, null, List.of(condition));
    }

    /** The same but for the condition of that type. */
    public FunctionObjectStatus with(Condition condition) {
        Stream<Condition> others = Stream.ofNullable(conditions)
                .flatMap(List::stream)
                .filter(other -> !other.getType().equals(condition.getType()));
        return new FunctionObjectStatus(
                observedGeneration,
                url,
                latestVersion,
                readyVersion,
                pool,
                replicas,
                unit,
                analysis,
                Stream.concat(others, Stream.of(condition))
                        .sorted(Comparator.comparing(Condition::getType))
                        .toList());
    }

    /** Pods that are ready, by what their node costs. */
    public record Replicas(int onDemand, int spot) {}
}
