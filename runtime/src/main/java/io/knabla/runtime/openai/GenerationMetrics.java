package io.knabla.runtime.openai;

import io.knabla.functions.unit.generation.LatencyObjectives;
import io.knabla.runtime.generation.Generator;
import io.knabla.runtime.generation.GeneratorStatistics;
import io.knabla.runtime.generation.LatencyCounts;
import io.knabla.runtime.generation.TextLatencies;
import io.knabla.runtime.generation.TextLatencies.ObjectiveCounts;
import io.knabla.runtime.serve.PrometheusText;

/** Metrics of a replica that generates text, in Prometheus' format. */
final class GenerationMetrics {
    private static final String MISSED = "knabla_objectives_missed_total";

    private static final String UTILIZATION = "knabla_generation_utilization_ratio";

    private final StringBuilder text;
    private final String labels;

    /** @param labels of all series, without braces */
    GenerationMetrics(StringBuilder text, String labels) {
        this.text = text;
        this.labels = labels;
    }

    void append(Generator generator) {
        GeneratorStatistics now = generator.statistics();
        value("knabla_sequences_running", "gauge", "Texts that are being generated", generator.running());
        value("knabla_sequences_waiting", "gauge", "Texts that wait for a slot", generator.waiting());
        value("knabla_kv_cache_used_bytes", "gauge", "Keys and values of running texts", now.kvBytesUsed());
        value("knabla_kv_cache_budget_bytes", "gauge", "Most bytes of keys and values", now.kvBytesBudget());
        PrometheusText.type(text, UTILIZATION, "gauge", "Share of the capacity that is used; above 1 some wait");
        PrometheusText.line(text, UTILIZATION, labels, generator.utilization());
        value("knabla_preemptions_total", "counter", "Texts put aside for lack of memory", now.preemptions());
        value(
                "knabla_prefill_tokens_total",
                "counter",
                "Prompt tokens read elsewhere",
                now.prefill().tokens());
        value(
                "knabla_prefill_failures_total",
                "counter",
                "Failed requests for that",
                now.prefill().failures());
        if (generator.settings().speculation().mostTokens() > 0) {
            value("knabla_draft_tokens_total", "counter", "Tokens drafted by speculation", now.draftTokens());
            value("knabla_accepted_tokens_total", "counter", "Draft tokens that were chosen", now.acceptedTokens());
        }
        latencies(now.latencies());
        if (!generator.settings().objectives().equals(LatencyObjectives.NONE)) {
            objectives(now.latencies().objectives());
        }
    }

    private void latencies(TextLatencies times) {
        histogram("knabla_request_queue_time_seconds", "From arrival to the first slot", times.queue());
        histogram("knabla_time_to_first_token_seconds", "From arrival to the first token", times.firstToken());
        histogram("knabla_inter_token_latency_seconds", "Between two tokens of a text", times.interToken());
        histogram("knabla_time_per_output_token_seconds", "Mean between the tokens of a text", times.perOutputToken());
    }

    private void objectives(ObjectiveCounts counts) {
        value("knabla_objectives_met_total", "counter", "Texts that met all objectives: the goodput", counts.met());
        PrometheusText.type(text, MISSED, "counter", "Texts that missed an objective");
        PrometheusText.line(text, MISSED, labels + ",objective=\"ttft\"", counts.missedFirstToken());
        PrometheusText.line(text, MISSED, labels + ",objective=\"tpot\"", counts.missedPerOutputToken());
    }

    private void value(String name, String type, String help, long value) {
        PrometheusText.type(text, name, type, help);
        PrometheusText.line(text, name, labels, value);
    }

    private void histogram(String name, String help, LatencyCounts times) {
        PrometheusText.type(text, name, "histogram", help);
        PrometheusText.histogram(text, name, labels, times.counts(), times.nanos());
    }
}
