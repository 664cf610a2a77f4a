package io.knabla.controller.knative.suite;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.HostAndPort;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/** Calls a function over gRPC through Knative's data path: HTTP/2 without TLS from the first byte. */
final class GrpcCaller implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 120;

    private final URI ingress;
    private final Vertx vertx = Vertx.vertx();
    private final HttpClient http;

    GrpcCaller(URI ingress) {
        this.ingress = ingress;
        http = vertx.createHttpClient(
                new HttpClientOptions().setProtocolVersion(HttpVersion.HTTP_2).setHttp2ClearTextUpgrade(false));
    }

    /** @param url of the function, as in its status */
    boolean modelReady(String url, String model) throws Exception {
        byte[] name = model.getBytes(StandardCharsets.UTF_8);
        Buffer request = Buffer.buffer()
                .appendByte((byte) 0x0a)
                .appendByte((byte) name.length)
                .appendBytes(name);
        Buffer answer = call(url, "ModelReady", request);
        return answer.equals(Buffer.buffer(new byte[] {0x08, 1}));
    }

    private Buffer call(String url, String method, Buffer message) throws Exception {
        var options = new RequestOptions()
                .setMethod(HttpMethod.POST)
                .setHost(ingress.getHost())
                .setPort(ingress.getPort())
                .setURI("/inference.GRPCInferenceService/" + method)
                .putHeader("content-type", "application/grpc")
                .putHeader("te", "trailers");
        Buffer framed =
                Buffer.buffer().appendByte((byte) 0).appendInt(message.length()).appendBuffer(message);
        return http.request(options)
                .compose(request -> request.authority(
                                HostAndPort.create(URI.create(url).getHost(), 80))
                        .send(framed))
                .compose(response -> response.body().map(body -> {
                    String trailer = response.getTrailer("grpc-status");
                    assertThat(trailer == null ? response.getHeader("grpc-status") : trailer)
                            .as("grpc-status of HTTP " + response.statusCode())
                            .isEqualTo("0");
                    return body.getBuffer(5, body.length());
                }))
                .toCompletionStage()
                .toCompletableFuture()
                .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    @Override
    public void close() {
        vertx.close();
    }
}
