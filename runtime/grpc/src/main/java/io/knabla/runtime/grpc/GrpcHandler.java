package io.knabla.runtime.grpc;

import io.knabla.runtime.http.HttpExchange;
import io.knabla.runtime.http.HttpHandler;
import io.knabla.runtime.http.HttpHeaders;
import io.knabla.runtime.http.HttpRequest;
import io.knabla.runtime.http.HttpResponse;
import io.knabla.runtime.paths.ServerAction;
import java.io.IOException;

/** Answers calls of gRPC through the handler of HTTP requests that it wraps; passes other requests on to it. */
public final class GrpcHandler implements HttpHandler {
    static final String TYPE = "application/grpc";

    /** A path that says nothing about the call: its message, which names the model, is not read yet. */
    private static final String ANY = ServerAction.METADATA.path();

    private final HttpHandler http;

    public GrpcHandler(HttpHandler http) {
        this.http = http;
    }

    private static boolean isGrpc(HttpRequest request) {
        String type = request.header("content-type");
        return type != null && (type.equals(TYPE) || type.equals("application/grpc+proto"));
    }

    @Override
    public HttpResponse refuse(HttpRequest request) {
        if (!isGrpc(request)) {
            return http.refuse(request);
        }
        HttpHeaders headers = CallHeaders.ofCall(request.headers(), -1);
        HttpResponse refusal = http.refuse(HttpRequest.of("GET", ANY, headers, new byte[0], 0, request.arrived()));
        return refusal == null ? null : ended(GrpcException.of(refusal));
    }

    /** An answer of trailers only. */
    static HttpResponse ended(GrpcException refusal) {
        String lines = refusal.headers() + refusal.status().lines(refusal.getMessage());
        return new HttpResponse(200, TYPE, lines, new byte[0], 0);
    }

    @Override
    public void handle(HttpExchange exchange) throws IOException {
        if (isGrpc(exchange.request())) {
            new GrpcCall(http, exchange).run();
        } else {
            http.handle(exchange);
        }
    }

    @Override
    public void done() {
        http.done();
    }

    @Override
    public HttpResponse error(int status, String sentence) {
        return http.error(status, sentence);
    }
}
