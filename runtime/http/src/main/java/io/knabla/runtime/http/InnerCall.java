package io.knabla.runtime.http;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.util.Arrays;

/** Passes a request to a handler within this process, and holds the answer in memory. */
public final class InnerCall implements ExchangeCarrier {
    /** An answer up to this size needs no reservation. */
    private static final int SMALL = 64 << 10;

    private static final int LARGEST = Integer.MAX_VALUE - 8;

    private final ExchangeCarrier outer;
    private HttpResponse response;

    private InnerCall(ExchangeCarrier outer) {
        this.outer = outer;
    }

    /**
     * Returns the answer of {@code handler} to {@code request}, also one that the server gives by itself.
     *
     * @param outer the exchange on whose behalf it is asked: its client's departure ends this one
     */
    public static HttpResponse answer(HttpHandler handler, HttpExchange outer, HttpRequest request) throws IOException {
        return answer(handler, outer, request, BodyFraming.NONE, null);
    }

    /**
     * As {@link #answer(HttpHandler, HttpExchange, HttpRequest)}, with a body that the handler reads as it arrives:
     * this may go on until the outer request is answered.
     *
     * @param length of the body in bytes
     */
    public static HttpResponse answer(
            HttpHandler handler, HttpExchange outer, HttpRequest request, InputStream body, long length)
            throws IOException {
        return answer(handler, outer, request, new BodyFraming.Sized(length), new HttpInput(body, 0));
    }

    private static HttpResponse answer(
            HttpHandler handler, HttpExchange outer, HttpRequest request, BodyFraming framing, HttpInput body)
            throws IOException {
        HttpResponse refusal = handler.refuse(request);
        if (refusal != null) {
            return refusal;
        }
        var call = new InnerCall(outer.carrier());
        var exchange = new HttpExchange(call, request, framing, BodyReader.of(framing, body));
        try {
            handler.handle(exchange);
        } catch (HttpFault fault) {
            return handler.error(fault.status, fault.getMessage());
        } finally {
            handler.done();
            if (outer.responded()) {
                // The next message of the stream begins where this one ends.
                exchange.dropBody();
            }
        }
        return exchange.complete() ? call.response : handler.error(503, "the answer broke off; call again");
    }

    @Override
    public HttpLimits limits() {
        return outer.limits();
    }

    @Override
    public InetAddress client() {
        return outer.client();
    }

    @Override
    public BodyBuffer body() {
        return outer.body();
    }

    @Override
    public void sendContinue() {
        // The body is there.
    }

    @Override
    public void awaitBody(long received) {
        // The body is there.
    }

    @Override
    public void working() {
        // The outer exchange knows it.
    }

    @Override
    public void onClientGone(Runnable action) {
        outer.onClientGone(action);
    }

    @Override
    public void respond(HttpResponse whole, String trailers, HttpRequest request, boolean bodyEnded) {
        response = whole;
    }

    @Override
    public ResponseWriter begin(int status, String headers, long length, HttpRequest request, boolean bodyEnded) {
        int size = request.isHead() ? 0 : Math.clamp(length, 0, LARGEST);
        if (size > SMALL) {
            hold(size, size);
        }
        response = new HttpResponse(status, null, headers, new byte[size], 0);
        return new ResponseWriter(this, false, request.isHead());
    }

    @Override
    public void write(byte[] bytes, int length) {
        byte[] held = response.body();
        int size = response.length() + length;
        byte[] room = size < 0 || size > held.length ? grown(held, size) : held;
        System.arraycopy(bytes, 0, room, response.length(), length);
        response = new HttpResponse(response.status(), null, response.headers(), room, size);
    }

    private byte[] grown(byte[] held, int size) {
        int larger = size < 0 ? LARGEST : (int) Math.min(Math.max(2L * size, SMALL), LARGEST);
        if (larger > SMALL) {
            hold(larger - held.length, larger);
        }
        return Arrays.copyOf(held, larger);
    }

    /** @param all bytes of the answer with these */
    private void hold(long more, long all) {
        long most = limits().bufferedBytesOf(client());
        if (all > most) {
            throw new HttpFault(
                    507,
                    "the answer is larger than the %d bytes that this server holds for one; ask for fewer or smaller outputs, or by HTTP/1.1, which passes an answer on as it comes"
                            .formatted(most));
        }
        if (!outer.body().hold(more)) {
            throw new HttpFault(503, "too many large answers are in memory; try again later");
        }
    }

    @Override
    public void endBody(String trailers) {
        // The exchange knows it.
    }
}
