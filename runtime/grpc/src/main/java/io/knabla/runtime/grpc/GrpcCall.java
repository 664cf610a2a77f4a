package io.knabla.runtime.grpc;

import io.knabla.runtime.http.HttpExchange;
import io.knabla.runtime.http.HttpFault;
import io.knabla.runtime.http.HttpHandler;
import io.knabla.runtime.http.HttpRequest;
import io.knabla.runtime.http.HttpResponse;
import io.knabla.runtime.http.InnerCall;
import io.knabla.runtime.http.ResponseWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.zip.ZipException;

/** One call of gRPC: reads its messages, asks the HTTP handler, and writes the answers. */
final class GrpcCall {
    static final byte[] NOTHING = {};
    private static final String ACCEPTS = "grpc-accept-encoding: identity,deflate,gzip\r\n";

    private final HttpHandler http;
    private final HttpExchange exchange;
    private final MessageReader messages;
    private String metadata = "";

    GrpcCall(HttpHandler http, HttpExchange exchange) {
        this.http = http;
        this.exchange = exchange;
        messages = new MessageReader(exchange);
    }

    void run() throws IOException {
        String path = exchange.request().path();
        try {
            if (path.equals("/inference.GRPCInferenceService/ModelStreamInfer")) {
                stream();
                return;
            }
            WireWriter answer = answer(path);
            exchange.respond(
                    new HttpResponse(
                            200,
                            GrpcHandler.TYPE,
                            ACCEPTS + CallHeaders.ofAnswer(metadata),
                            answer.framed(),
                            answer.framedLength()),
                    GrpcStatus.OK.lines(""));
        } catch (GrpcException refused) {
            exchange.respond(GrpcHandler.ended(refused));
        } catch (HttpFault fault) {
            exchange.respond(GrpcHandler.ended(of(fault)));
        } catch (ZipException malformed) {
            exchange.respond(GrpcHandler.ended(WireReader.malformed()));
        }
    }

    private static GrpcException of(HttpFault fault) {
        return new GrpcException(GrpcStatus.ofHttp(fault.status()), fault.getMessage());
    }

    private WireWriter answer(String path) throws IOException {
        return path.equals("/inference.GRPCInferenceService/ModelInfer")
                ? infer(messages.only())
                : new Queries(this).answer(path, messages.only());
    }

    /** Answers one message after the other: a later one of a client's stream never overtakes. */
    private void stream() throws IOException {
        ResponseWriter out = exchange.respond(200, "content-type: " + GrpcHandler.TYPE + "\r\n" + ACCEPTS, -1);
        String end = GrpcStatus.OK.lines("");
        try {
            for (WireReader message = messages.next(); message != null; message = messages.next()) {
                WireWriter answer = streamed(message);
                out.write(answer.framed(), answer.framedLength());
            }
        } catch (GrpcException unreadable) {
            end = unreadable.status().lines(unreadable.getMessage());
        } catch (HttpFault fault) {
            end = GrpcStatus.ofHttp(fault.status()).lines(fault.getMessage());
        }
        out.end(end);
    }

    private WireWriter streamed(WireReader message) throws IOException {
        try {
            WireWriter answer = infer(message);
            return new WireWriter(answer.framedLength() + 8).message(2, answer);
        } catch (GrpcException refused) {
            return new WireWriter(256).text(1, refused.getMessage());
        }
    }

    private WireWriter infer(WireReader message) throws IOException {
        InferRequest request = InferRequest.read(message);
        request.limitTime(exchange.request().header("grpc-timeout"));
        InferRequest.Body body = request.body(messages::hold);
        HttpResponse answer = call("POST", request.path() + "/infer", body.bytes(), body.jsonLength());
        return InferResponse.message(expectSuccess(answer));
    }

    static HttpResponse expectSuccess(HttpResponse answer) {
        if (answer.status() != 200) {
            throw GrpcException.of(answer);
        }
        return answer;
    }

    /** The JSON that the HTTP handler answers to a GET. */
    Object get(String target) throws IOException {
        HttpResponse answer = expectSuccess(call("GET", target, NOTHING, -1));
        return Json.read(answer.body(), answer.length());
    }

    /** Posts JSON, and answers with an empty message. */
    WireWriter post(String target, String json) throws IOException {
        expectSuccess(call("POST", target, json.getBytes(StandardCharsets.UTF_8), -1));
        return new WireWriter(0);
    }

    /**
     * The HTTP handler's answer.
     *
     * @param jsonLength bytes of the JSON before the tensors; -1 for a body without tensors
     */
    HttpResponse call(String method, String target, byte[] body, int jsonLength) throws IOException {
        HttpRequest call = exchange.request();
        HttpResponse answer = InnerCall.answer(
                http,
                exchange,
                HttpRequest.of(
                        method,
                        target,
                        CallHeaders.ofCall(call.headers(), jsonLength),
                        body,
                        body.length,
                        call.arrived()));
        metadata = answer.headers();
        return answer;
    }
}
