package io.knabla.bench.serve;

import io.knabla.bench.server.OtherBuild;

/** Identifies the targets that are measured under load, with their names in the report. */
enum TargetId {
    REPLICA_JSON("replica-json"),
    REPLICA_BINARY("replica-binary"),
    REPLICA_GRPC("replica-grpc"),
    GATEWAY_JSON("gateway-json"),
    GATEWAY_BINARY("gateway-binary"),
    GATEWAY_GRPC("gateway-grpc"),
    /** nginx as a reverse proxy before the gateway's own replica. */
    NGINX_JSON("nginx-json"),
    /** Under 64 connections; the CPU time is that of the proxy without its replica. */
    GATEWAY_ALONE("gateway-json-64"),
    NGINX_ALONE("nginx-json-64"),
    /** Records and Jackson on Quarkus' worker pool: the default style, not tuned. */
    QUARKUS_REST("quarkus-rest-default"),
    QUARKUS_REST_NON_BLOCKING("quarkus-rest-nonblocking"),
    QUARKUS_BYTES("quarkus-bytes-default"),
    QUARKUS_BYTES_NON_BLOCKING("quarkus-bytes-nonblocking"),
    BARE_LOOP("bare-onnxruntime-loop"),
    OTHER_REPLICA_JSON(OtherBuild.named("replica-json")),
    OTHER_REPLICA_BINARY(OtherBuild.named("replica-binary")),
    OTHER_GATEWAY_JSON(OtherBuild.named("gateway-json")),
    BATCHING_ON("replica-batching-on"),
    BATCHING_OFF("replica-batching-off");

    private final String title;

    TargetId(String title) {
        this.title = title;
    }

    String title() {
        return title;
    }

    boolean usesGateway() {
        return this == GATEWAY_JSON
                || this == GATEWAY_BINARY
                || this == GATEWAY_GRPC
                || this == GATEWAY_ALONE
                || usesNginx();
    }

    boolean usesNginx() {
        return this == NGINX_JSON || this == NGINX_ALONE;
    }
}
