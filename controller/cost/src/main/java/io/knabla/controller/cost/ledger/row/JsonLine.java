package io.knabla.controller.cost.ledger.row;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.math.BigDecimal;
import java.util.Map;

/**
 * Fields of one usage record as a line of JSON and a row of a Parquet file store it: times are ISO 8601 in UTC with at
 * most microseconds, decimals are text, {@code v} is the version of the schema that wrote it. A field that is missing
 * is 0 if it is a number, empty if it is text, and what {@link JsonLines} says if it is an enumeration.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
    @JsonSubTypes.Type(value = JsonLine.NodeLine.class, name = "node"),
    @JsonSubTypes.Type(value = JsonLine.ReplicaLine.class, name = "replica"),
    @JsonSubTypes.Type(value = JsonLine.RequestsLine.class, name = "requests")
})
@JsonInclude(JsonInclude.Include.NON_NULL)
sealed interface JsonLine {
    int v();

    /** A line with the work of a replica or of a minute of requests. */
    sealed interface WithWork extends JsonLine {
        long succeeded();

        long failed();

        long retried();

        long elements();

        long busyMillis();

        Map<String, Long> counters();
    }

    record NodeLine(
            int v,
            String id,
            long revision,
            String startTime,
            String endTime,
            String ended,
            String name,
            String pool,
            String capacity,
            String instanceType,
            String region,
            String zoneId,
            String vcpus,
            long memoryBytes,
            BigDecimal gpus)
            implements JsonLine {}

    /** @param startPhases nanoseconds by phase */
    record ReplicaLine(
            int v,
            String id,
            long revision,
            String startTime,
            String endTime,
            String ended,
            String namespace,
            String function,
            int version,
            String node,
            String requestedVcpus,
            long requestedMemoryBytes,
            BigDecimal requestedGpus,
            String usedVcpus,
            long usedMemoryBytes,
            BigDecimal usedGpus,
            String startKind,
            Map<String, Long> startPhases,
            long succeeded,
            long failed,
            long retried,
            long elements,
            long busyMillis,
            Map<String, Long> counters)
            implements WithWork {}

    /** @param id of the row, so that all kinds are merged by one column */
    record RequestsLine(
            int v,
            String id,
            long revision,
            String startTime,
            String namespace,
            String function,
            int version,
            String replica,
            long succeeded,
            long failed,
            long retried,
            long elements,
            long busyMillis,
            Map<String, Long> counters)
            implements WithWork {}
}
