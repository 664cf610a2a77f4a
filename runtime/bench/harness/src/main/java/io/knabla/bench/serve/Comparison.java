package io.knabla.bench.serve;

import static io.knabla.bench.serve.TargetId.BARE_LOOP;
import static io.knabla.bench.serve.TargetId.GATEWAY_ALONE;
import static io.knabla.bench.serve.TargetId.GATEWAY_BINARY;
import static io.knabla.bench.serve.TargetId.GATEWAY_GRPC;
import static io.knabla.bench.serve.TargetId.GATEWAY_JSON;
import static io.knabla.bench.serve.TargetId.NGINX_ALONE;
import static io.knabla.bench.serve.TargetId.NGINX_JSON;
import static io.knabla.bench.serve.TargetId.OTHER_GATEWAY_JSON;
import static io.knabla.bench.serve.TargetId.OTHER_REPLICA_BINARY;
import static io.knabla.bench.serve.TargetId.OTHER_REPLICA_JSON;
import static io.knabla.bench.serve.TargetId.QUARKUS_BYTES;
import static io.knabla.bench.serve.TargetId.QUARKUS_BYTES_NON_BLOCKING;
import static io.knabla.bench.serve.TargetId.QUARKUS_REST;
import static io.knabla.bench.serve.TargetId.QUARKUS_REST_NON_BLOCKING;
import static io.knabla.bench.serve.TargetId.REPLICA_BINARY;
import static io.knabla.bench.serve.TargetId.REPLICA_GRPC;
import static io.knabla.bench.serve.TargetId.REPLICA_JSON;

import io.knabla.bench.report.Rounding;
import io.knabla.bench.report.Row;
import io.knabla.bench.server.OtherBuild;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** One row of the report: a figure of a subject relative to that of a reference. */
record Comparison(String row, TargetId subject, TargetId reference, Figure figure, String goal) {
    private static final String DEFAULT = "at least 2.5 times the default endpoint";
    private static final String NON_BLOCKING = "at least 1.0 times the non-blocking one, hope 1.2";
    private static final String STATED = "stated";
    private static final String GRPC = "at least 0.8 times binary tensors by HTTP/1.1";

    /** A row about throughput. */
    Comparison(String row, TargetId subject, TargetId reference, String goal) {
        this(row, subject, reference, Figure.RATE, goal);
    }

    /** What is compared. */
    enum Figure {
        RATE("requests/s", Window::perSecond),
        P99("ms", Window::p99Millis),
        CPU("µs of CPU a request", Window::cpuMicros);

        private final String unit;
        private final ToDoubleFunction<Window> of;

        Figure(String unit, ToDoubleFunction<Window> of) {
            this.unit = unit;
            this.of = of;
        }
    }

    /**
     * All comparisons, with the 1 MB model. The row named after the subject alone compares with the default Quarkus
     * endpoint.
     */
    static final List<Comparison> ALL = List.of(
            new Comparison("replica-json", REPLICA_JSON, QUARKUS_REST, DEFAULT),
            new Comparison("replica-json-nonblocking", REPLICA_JSON, QUARKUS_REST_NON_BLOCKING, NON_BLOCKING),
            new Comparison("replica-json-bare", REPLICA_JSON, BARE_LOOP, STATED),
            new Comparison("replica-binary", REPLICA_BINARY, QUARKUS_BYTES, DEFAULT),
            new Comparison("replica-binary-nonblocking", REPLICA_BINARY, QUARKUS_BYTES_NON_BLOCKING, NON_BLOCKING),
            new Comparison("replica-grpc", REPLICA_GRPC, REPLICA_BINARY, GRPC),
            new Comparison("replica-binary-bare", REPLICA_BINARY, BARE_LOOP, STATED),
            new Comparison("gateway-json", GATEWAY_JSON, QUARKUS_REST, STATED),
            new Comparison("gateway-json-replica", GATEWAY_JSON, REPLICA_JSON, "at least 0.6"),
            new Comparison("gateway-nginx", GATEWAY_JSON, NGINX_JSON, "at least 0.9 times nginx"),
            new Comparison(
                    "gateway-nginx-p99", GATEWAY_ALONE, NGINX_ALONE, Figure.P99, "at most 1.2 under 64 connections"),
            new Comparison(
                    "gateway-nginx-cpu", GATEWAY_ALONE, NGINX_ALONE, Figure.CPU, "stated: the proxy's processes alone"),
            new Comparison("gateway-grpc", GATEWAY_GRPC, GATEWAY_BINARY, GRPC),
            new Comparison("gateway-binary", GATEWAY_BINARY, QUARKUS_BYTES, STATED),
            new Comparison("gateway-binary-replica", GATEWAY_BINARY, REPLICA_BINARY, STATED));

    /** With another build of Knabla, in the same order. */
    static final List<Comparison> OF_BUILDS = List.of(
            new Comparison("replica-json", REPLICA_JSON, OTHER_REPLICA_JSON, OtherBuild.AT_LEAST),
            new Comparison("replica-binary", REPLICA_BINARY, OTHER_REPLICA_BINARY, OtherBuild.AT_LEAST),
            new Comparison("gateway-json", GATEWAY_JSON, OTHER_GATEWAY_JSON, OtherBuild.AT_LEAST));

    boolean usesNginx() {
        return subject.usesNginx() || reference.usesNginx();
    }

    Row skipped(String reason) {
        return Row.skipped(new Row.Title(row, figure.unit, goal), reference.title(), reason);
    }

    Row toRow(InterleavedLoad load) {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("subject", figures(load, subject));
        details.put("reference_details", figures(load, reference));
        return Row.of(
                new Row.Title(row, figure.unit, goal),
                load.pairs(subject, reference, figure.of),
                reference.title(),
                details);
    }

    private static Map<String, Double> figures(InterleavedLoad load, TargetId player) {
        Map<String, Double> figures = new LinkedHashMap<>();
        figures.put("p50_ms", load.median(player, Window::p50Millis));
        figures.put("p99_ms", load.median(player, Window::p99Millis));
        figures.put("cpu_us_per_request", load.median(player, Window::cpuMicros));
        figures.put("foreign_cpu_share", load.median(player, Window::foreignShare));
        figures.replaceAll((name, value) -> Rounding.significant(value));
        return figures;
    }
}
