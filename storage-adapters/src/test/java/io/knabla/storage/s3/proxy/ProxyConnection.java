package io.knabla.storage.s3.proxy;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Consumer;

/** Serves one client connection: forwards each request with its fault. */
final class ProxyConnection {
    private static final byte[] CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    /** Far longer than any test server needs: the proxy ends even if a server hangs. */
    private static final int LONGEST_MILLIS = 120_000;

    private final Socket client;
    private final InetSocketAddress server;
    private final FaultPlan plan;
    private final Consumer<MessageHead> otherWriter;

    ProxyConnection(Socket client, InetSocketAddress server, FaultPlan plan, Consumer<MessageHead> otherWriter) {
        this.client = client;
        this.server = server;
        this.plan = plan;
        this.otherWriter = otherWriter;
    }

    /** Serves requests until the connection must end. */
    void run() throws IOException {
        InputStream in = new BufferedInputStream(client.getInputStream());
        boolean open = true;
        while (open) {
            Optional<MessageHead> request = MessageHead.read(in);
            if (request.isEmpty()) {
                return;
            }
            Fault fault = plan.next(request.get());
            if (fault instanceof Fault.ResetBeforeRequest) {
                reset(client);
                return;
            }
            open = exchange(request.get(), in, fault);
        }
    }

    /** Returns whether the connection can carry another request. */
    private boolean exchange(MessageHead request, InputStream in, Fault fault) throws IOException {
        if (request.field("Expect").isPresent()) {
            client.getOutputStream().write(CONTINUE);
        }
        byte[] body = Framing.ofRequest(request).read(in);
        MessageHead onward = request.without("Expect");
        return switch (fault) {
            case Fault.None _ -> give(pass(onward, body));
            case Fault.Latency(Duration pause) -> {
                pause(pause);
                yield give(pass(onward, body));
            }
            case Fault.ResetBeforeRequest _ -> reset(client);
            case Fault.ResetMidRequest(double part) -> {
                sendPart(onward, body, part);
                yield reset(client);
            }
            case Fault.ResponseLost _ -> {
                pass(onward, body);
                yield reset(client);
            }
            case Fault.Truncated(double part, boolean reset) -> {
                client.getOutputStream().write(pass(onward, body).first(part));
                yield reset && reset(client);
            }
            case Fault.Refused refused -> {
                if (refused.acted()) {
                    pass(onward, body);
                }
                yield give(ServerResponse.refusal(request, refused));
            }
            case Fault.Race _ -> {
                otherWriter.accept(request);
                yield give(pass(onward, body));
            }
            case Fault.Trickle(int pieces, Duration pause) -> trickle(pass(onward, body), pieces, pause);
            case Fault.Duplicate(boolean second) -> {
                ServerResponse first = pass(onward, body);
                ServerResponse again = pass(onward, body);
                yield give(second ? again : first);
            }
        };
    }

    /** Opens a connection per request: a kept one may close while the next request is sent. */
    private ServerResponse pass(MessageHead request, byte[] body) throws IOException {
        try (Socket upstream = connect()) {
            OutputStream out = upstream.getOutputStream();
            out.write(request.bytes());
            out.write(body);
            return ServerResponse.read(request, new BufferedInputStream(upstream.getInputStream()));
        }
    }

    private void sendPart(MessageHead request, byte[] body, double part) throws IOException {
        try (Socket upstream = connect()) {
            OutputStream out = upstream.getOutputStream();
            if (body.length == 0) {
                out.write(lessThanAll(request.bytes(), part));
            } else {
                out.write(request.bytes());
                out.write(lessThanAll(body, part));
            }
            out.flush();
            reset(upstream);
        }
    }

    /** Truncates by at least one byte: the server cannot take it for a whole request and perform it later. */
    private static byte[] lessThanAll(byte[] bytes, double part) {
        return Arrays.copyOf(bytes, Math.min(bytes.length - 1, (int) (bytes.length * part)));
    }

    private Socket connect() throws IOException {
        var upstream = new Socket(server.getAddress(), server.getPort());
        upstream.setTcpNoDelay(true);
        upstream.setSoTimeout(LONGEST_MILLIS);
        return upstream;
    }

    private boolean give(ServerResponse answer) throws IOException {
        client.getOutputStream().write(answer.bytes());
        return !answer.last();
    }

    private boolean trickle(ServerResponse answer, int pieces, Duration pause) throws IOException {
        OutputStream out = client.getOutputStream();
        int size = Math.max(1, answer.bytes().length / pieces);
        for (int at = 0; at < answer.bytes().length; at += size) {
            out.write(answer.bytes(), at, Math.min(size, answer.bytes().length - at));
            pause(pause);
        }
        return !answer.last();
    }

    /** Closes with RST instead of FIN. Returns false: there is no further request. */
    private static boolean reset(Socket socket) throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
        return false;
    }

    private static void pause(Duration pause) throws IOException {
        try {
            Thread.sleep(pause);
        } catch (InterruptedException interrupted) {
            throw new IOException(interrupted);
        }
    }
}
