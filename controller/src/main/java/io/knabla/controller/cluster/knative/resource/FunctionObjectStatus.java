package io.knabla.controller.cluster.knative.resource;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;

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
    /** Pods that are ready, by what their node costs. */
    public record Replicas(int onDemand, int spot) {}
}
