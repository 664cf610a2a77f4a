package io.knabla.runtime.http;

import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;

/** One request and the means to answer it. Only the body may be read by another thread than the handler's. */
public final class HttpExchange {
    private static final String REMEDY =
            "send less, or give the function more memory in spec.resources (to a replica of your own: KNABLA_MAX_BODY_BYTES)";

    private final ExchangeCarrier connection;
    private final HttpRequest request;
    private final BodyFraming framing;
    private final BodyReader reader;
    private long mostBytes;
    private String remedy = REMEDY;
    private long received;
    private boolean begun;
    private BodyPump pump;
    private String added = "";
    private ResponseWriter writer;

    HttpExchange(ExchangeCarrier connection, HttpRequest request, BodyFraming framing, BodyReader reader) {
        this.connection = connection;
        this.request = request;
        this.framing = framing;
        this.reader = reader;
        mostBytes = connection.limits().bodyBytes();
    }

    public HttpRequest request() {
        return request;
    }

    /** Address of the client; that of a proxy in between, if there is one. */
    public InetAddress client() {
        return connection.client();
    }

    /** Length of the body in bytes; -1 if it comes in chunks. */
    public long declaredLength() {
        return framing instanceof BodyFraming.Sized(long length) ? length : -1;
    }

    /**
     * Replaces the server's limit of a body for this request.
     *
     * @param remedy what a client with a larger body can do
     */
    public void limitBody(long bytes, String remedy) {
        mostBytes = bytes;
        this.remedy = remedy;
    }

    /** Bytes of the largest body. */
    public long bodyLimit() {
        return mostBytes;
    }

    /** Whether all of the body is in {@link HttpRequest#body}. */
    public boolean hasWholeBody() {
        return pump == null && reader.ended();
    }

    /** Reads the body into {@link HttpRequest#body}. */
    public void readBody() throws IOException {
        readBody(connection.limits().bodyBytes());
    }

    /**
     * Reads at most the first {@code most} bytes of the body into {@link HttpRequest#body}, one more if only that shows
     * that it goes on; true if that is all of it.
     */
    public boolean readBody(int most) throws IOException {
        begin();
        connection.body().fill(request, declaredLength(), most, this::read);
        return reader.ended();
    }

    /**
     * Reads the body into {@link HttpRequest#body}, inflated if Content-Encoding says that it is compressed. What is
     * inflated is limited as a body is.
     *
     * @throws HttpFault 413 beyond the limit, 415 for another coding than gzip and deflate, 400 if malformed
     */
    public void readInflatedBody() throws IOException {
        ContentCoding coding = ContentCoding.of(request.header("Content-Encoding"));
        if (coding == null) {
            readBody();
            return;
        }
        begin();
        int most = connection.limits().bodyBytes();
        try (var inflated = new InflatedBody(coding, this::read)) {
            connection.body().fill(request, -1, most, inflated);
        }
        if (request.bodyLength > most) {
            throw tooLarge();
        }
    }

    /**
     * Reads the first {@code most} bytes of a body of declared length, and leaves the others to be read from
     * {@link HttpRequest#rest}. Reserves memory for them.
     *
     * @throws HttpFault 413 beyond the limit, 503 if there is no memory
     */
    public void readBodyUntil(int most) throws IOException {
        begin();
        long others = declaredLength() - most;
        if (!connection.body().hold(others)) {
            throw BodyBuffer.noMemory();
        }
        readBody(most);
        request.rest = new BodyRest(this::read, others);
    }

    /**
     * Reads at least one byte of what {@link #readBody} has left; -1 at the end of the body.
     *
     * @throws HttpFault 413 beyond the limit, 400 if malformed
     */
    public int read(byte[] into) throws IOException {
        return read(into, 0, into.length);
    }

    /** As {@link #read(byte[])}, at most {@code length} bytes to {@code from}. */
    public int read(byte[] into, int from, int length) throws IOException {
        begin();
        connection.awaitBody(received);
        int count = reader.read(into, from, length);
        connection.working();
        received += Math.max(0, count);
        return count;
    }

    /** As {@link #read(byte[], int, int)}; the client may wait for {@code most} before it sends more. */
    public int readNext(byte[] into, int from, int length, Duration most) throws IOException {
        begin();
        connection.awaitNext(most);
        int count = reader.read(into, from, length);
        connection.working();
        return count;
    }

    private HttpFault tooLarge() {
        return new HttpFault(413, "the body is larger than %d bytes; %s".formatted(mostBytes, remedy));
    }

    private void begin() throws IOException {
        if (begun) {
            return;
        }
        begun = true;
        if (Math.max(declaredLength(), request.bodyLength()) > mostBytes) {
            throw tooLarge();
        }
        reader.limit(mostBytes, this::tooLarge);
        String expect = request.header("Expect");
        if (expect != null && !expect.equalsIgnoreCase("100-continue")) {
            throw new HttpFault(417, "the only Expect this server knows is 100-continue");
        }
        if (expect != null && !reader.ended()) {
            connection.sendContinue();
        }
    }

    /** Passes the rest of the body on, on another thread. */
    public BodyPump pump(BodyPump.Sink sink) {
        pump = new BodyPump(this, sink);
        return pump;
    }

    /** Waits for the end of the pump, if there is one. */
    void dropBody() throws IOException {
        if (pump != null) {
            pump.drop();
        }
    }

    /**
     * Runs {@code action} on another thread, once, if the client leaves while it waits. Checked twice a second; does
     * nothing before the body was read.
     */
    public void onClientGone(Runnable action) {
        if (reader.ended()) {
            connection.onClientGone(action);
        }
    }

    /**
     * Reserves memory for a response that is read whole before the client gets it; false if there is none. It is
     * released after the response.
     */
    public boolean holdResponse(long bytes) {
        return connection.body().hold(bytes);
    }

    /** Sends a complete response, compressed if the client accepts that and it is worth it. */
    public void respondCompressed(HttpResponse response) throws IOException {
        String accepted = request.header("Accept-Encoding");
        respond(accepted == null ? response : ContentCoding.compress(response, accepted));
    }

    /** Bytes that one request may hold in all; more are refused for good. */
    public long mostHeld() {
        return connection.limits().bufferedBytesOf(client());
    }

    /** Adds these header lines to the response, also to that of a fault; each ended by CR LF. */
    public void addToResponse(String headers) {
        added += headers;
    }

    /** Sends a complete response. */
    public void respond(HttpResponse response) throws IOException {
        respond(response, "");
    }

    /**
     * Sends a complete response.
     *
     * @param trailers lines of fields after the body, each ended by CR LF; only HTTP/2 sends them
     */
    public void respond(HttpResponse response, String trailers) throws IOException {
        writer = ResponseWriter.whole();
        HttpResponse whole = added.isEmpty() ? response : response.withHeaders(added);
        connection.respond(whole, trailers, request, reader.ended());
    }

    /**
     * Begins a response whose body follows.
     *
     * @param headers header lines, each ended by CR LF, without framing
     * @param length of the body; -1 if unknown
     */
    public ResponseWriter respond(int status, String headers, long length) throws IOException {
        writer = connection.begin(status, headers + added, length, request, reader.ended());
        return writer;
    }

    ExchangeCarrier carrier() {
        return connection;
    }

    /** Whether a response was begun. */
    public boolean responded() {
        return writer != null;
    }

    /** Whether the response was written completely. */
    boolean complete() {
        return writer != null && writer.complete();
    }
}
