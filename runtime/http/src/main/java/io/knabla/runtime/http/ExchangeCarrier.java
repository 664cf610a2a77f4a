package io.knabla.runtime.http;

import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;

/** What an exchange needs of the HTTP/1.1 connection, the HTTP/2 stream or the outer exchange that carries it. */
interface ExchangeCarrier {
    HttpLimits limits();

    InetAddress client();

    BodyBuffer body();

    void sendContinue() throws IOException;

    /**
     * Waits for the peer from here on.
     *
     * @param received bytes of the body so far
     */
    void awaitBody(long received);

    /** Waits for the next message of a stream, for which the peer may take its time. */
    default void awaitNext(Duration most) {
        awaitBody(0);
    }

    /** The peer waits for the server from here on. */
    void working();

    void onClientGone(Runnable action);

    /** @param trailers lines of fields after the body, which only HTTP/2 sends; empty for none */
    void respond(HttpResponse response, String trailers, HttpRequest request, boolean bodyEnded) throws IOException;

    /** @param length -1 if unknown */
    ResponseWriter begin(int status, String headers, long length, HttpRequest request, boolean bodyEnded)
            throws IOException;

    /** Writes a piece of the body that {@link #begin} announced. */
    void write(byte[] bytes, int length) throws IOException;

    /** Ends that body. */
    void endBody(String trailers) throws IOException;
}
