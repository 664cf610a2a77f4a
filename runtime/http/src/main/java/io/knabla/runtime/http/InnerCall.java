package io.knabla.runtime.http;

import java.io.IOException;
import java.net.InetAddress;
import java.util.Arrays;

/** Passes a request to a handler within this process, and holds the answer in memory. */
public final class InnerCall implements ExchangeCarrier {
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
        HttpResponse refusal = handler.refuse(request);
        if (refusal != null) {
            return refusal;
        }
        var call = new InnerCall(outer.carrier());
        var exchange = new HttpExchange(call, request, BodyFraming.NONE, BodyReader.of(BodyFraming.NONE, null));
        try {
            handler.handle(exchange);
        } catch (HttpFault fault) {
            return handler.error(fault.status, fault.getMessage());
        } finally {
            handler.done();
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
        response = new HttpResponse(status, null, headers, new byte[Math.clamp(length, 0, 64 << 10)], 0);
        return new ResponseWriter(this, false, request.isHead());
    }

    @Override
    public void write(byte[] bytes, int length) {
        byte[] held = response.body();
        int size = response.length() + length;
        if (size < 0 || (size > held.length && !outer.body().hold(size))) {
            throw new HttpFault(
                    503, "the answer is too large for the memory that is left; ask for less, or by HTTP/1.1");
        }
        byte[] room = size > held.length ? Arrays.copyOf(held, (int) Math.min(2L * size, Integer.MAX_VALUE - 8)) : held;
        System.arraycopy(bytes, 0, room, response.length(), length);
        response = new HttpResponse(response.status(), null, response.headers(), room, size);
    }

    @Override
    public void endBody(String trailers) {
        // The exchange knows it.
    }
}
