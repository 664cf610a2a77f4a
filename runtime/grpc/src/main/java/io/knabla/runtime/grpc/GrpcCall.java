package io.knabla.runtime.grpc;

import io.knabla.runtime.http.HttpExchange;
import io.knabla.runtime.http.HttpFault;
import io.knabla.runtime.http.HttpHandler;
import io.knabla.runtime.http.HttpHeaders;
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
                stream(this::streamed);
                return;
            }
            if (Reflection.handles(path)) {
                stream(this::reflected);
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
        if (!path.equals("/inference.GRPCInferenceService/ModelInfer")) {
            return new Queries(this).answer(path, messages.only());
        }
        messages.begin();
        WireWriter answer = infer();
        if (messages.left() == 0) {
            messages.expectEnd();
        }
        return answer;
    }

    /** Answers one message after the other: a later one of a client's stream never overtakes. */
    private void stream(Answer each) throws IOException {
        ResponseWriter out = exchange.respond(200, "content-type: " + GrpcHandler.TYPE + "\r\n" + ACCEPTS, -1);
        String end = GrpcStatus.OK.lines("");
        try {
            while (messages.next()) {
                WireWriter answer = each.toMessage();
                out.write(answer.framed(), answer.framedLength());
                messages.skip();
            }
        } catch (GrpcException unreadable) {
            end = unreadable.status().lines(unreadable.getMessage());
        } catch (HttpFault fault) {
            end = GrpcStatus.ofHttp(fault.status()).lines(fault.getMessage());
        }
        out.end(end);
    }

    /** Answers the message that has begun. */
    private interface Answer {
        WireWriter toMessage() throws IOException;
    }

    private WireWriter reflected() throws IOException {
        WireReader request = messages.rest();
        if (request.size() > Reflection.LONGEST_REQUEST) {
            throw new GrpcException(
                    GrpcStatus.RESOURCE_EXHAUSTED,
                    "a request of reflection may have %d bytes".formatted(Reflection.LONGEST_REQUEST));
        }
        return Reflection.answer(request);
    }

    private WireWriter streamed() throws IOException {
        try {
            WireWriter answer = infer();
            return new WireWriter(answer.framedLength() + 8).message(2, answer);
        } catch (GrpcException refused) {
            return new WireWriter(256).text(1, refused.getMessage());
        }
    }

    /** Asks for what the message that has begun says. */
    private WireWriter infer() throws IOException {
        if (messages.isCompressed() || messages.left() < StreamedRequest.LEAST_BYTES) {
            return infer(InferRequest.read(messages.rest()));
        }
        StreamedRequest streamed = StreamedRequest.read(messages);
        InferRequest request = streamed.request();
        if (!streamed.isStreamed()) {
            return infer(request);
        }
        request.limitTime(exchange.request().header("grpc-timeout"));
        StreamedRequest.Body body = streamed.body();
        HttpRequest head = request("POST", request.path(), NOTHING, body.jsonLength());
        return InferResponse.message(
                expectSuccess(kept(InnerCall.answer(http, exchange, head, body.bytes(), body.length()))));
    }

    private WireWriter infer(InferRequest request) throws IOException {
        request.limitTime(exchange.request().header("grpc-timeout"));
        InferRequest.Body body = request.body(messages::hold);
        return InferResponse.message(expectSuccess(call("POST", request.path(), body.bytes(), body.jsonLength())));
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
        return kept(InnerCall.answer(http, exchange, request(method, target, body, jsonLength)));
    }

    private HttpRequest request(String method, String target, byte[] body, int jsonLength) {
        HttpRequest call = exchange.request();
        HttpHeaders headers = CallHeaders.ofCall(call.headers(), jsonLength);
        return HttpRequest.of(method, target, headers, body, body.length, call.arrived());
    }

    /** Its headers become the call's metadata. */
    private HttpResponse kept(HttpResponse answer) {
        metadata = answer.headers();
        return answer;
    }
}
