package io.knabla.storage.s3.faults;

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

/** One client's connection: request after request, each with its fate. */
final class Passage {
    private static final byte[] CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    /** Far longer than any server of the tests needs, so that a proxy ends however a server does. */
    private static final int LONGEST_MILLIS = 120_000;

    private final Socket client;
    private final InetSocketAddress server;
    private final FaultPlan plan;
    private final Consumer<Head> otherWriter;

    Passage(Socket client, InetSocketAddress server, FaultPlan plan, Consumer<Head> otherWriter) {
        this.client = client;
        this.server = server;
        this.plan = plan;
        this.otherWriter = otherWriter;
    }

    /** Returns when the connection shall end. */
    void run() throws IOException {
        InputStream in = new BufferedInputStream(client.getInputStream());
        boolean open = true;
        while (open) {
            Optional<Head> request = Head.read(in);
            if (request.isEmpty()) {
                return;
            }
            Fault fault = plan.next(request.get());
            if (fault instanceof Fault.ResetBefore) {
                reset(client);
                return;
            }
            open = exchange(request.get(), in, fault);
        }
    }

    /** Answers whether the connection may carry another request. */
    private boolean exchange(Head request, InputStream in, Fault fault) throws IOException {
        if (request.field("Expect").isPresent()) {
            client.getOutputStream().write(CONTINUE);
        }
        byte[] body = Framing.ofRequest(request).read(in);
        Head onward = request.without("Expect");
        return switch (fault) {
            case Fault.None _ -> give(pass(onward, body));
            case Fault.Latency(Duration pause) -> {
                pause(pause);
                yield give(pass(onward, body));
            }
            case Fault.ResetBefore _ -> reset(client);
            case Fault.ResetAmid(double part) -> {
                sendPart(onward, body, part);
                yield reset(client);
            }
            case Fault.AnswerLost _ -> {
                pass(onward, body);
                yield reset(client);
            }
            case Fault.Cut(double part, boolean reset) -> {
                client.getOutputStream().write(pass(onward, body).first(part));
                yield reset && reset(client);
            }
            case Fault.Refused refused -> {
                if (refused.acted()) {
                    pass(onward, body);
                }
                yield give(Answer.refusal(request, refused));
            }
            case Fault.Race _ -> {
                otherWriter.accept(request);
                yield give(pass(onward, body));
            }
            case Fault.Trickle(int pieces, Duration pause) -> trickle(pass(onward, body), pieces, pause);
            case Fault.Duplicate(boolean second) -> {
                Answer first = pass(onward, body);
                Answer again = pass(onward, body);
                yield give(second ? again : first);
            }
        };
    }

    /** A connection for each request: one that is kept may end while the next is on its way. */
    private Answer pass(Head request, byte[] body) throws IOException {
        try (Socket upstream = connect()) {
            OutputStream out = upstream.getOutputStream();
            out.write(request.bytes());
            out.write(body);
            return Answer.read(request, new BufferedInputStream(upstream.getInputStream()));
        }
    }

    private void sendPart(Head request, byte[] body, double part) throws IOException {
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

    /** So that the server cannot take it for a whole request, and act on it whenever it gets to it. */
    private static byte[] lessThanAll(byte[] bytes, double part) {
        return Arrays.copyOf(bytes, Math.min(bytes.length - 1, (int) (bytes.length * part)));
    }

    private Socket connect() throws IOException {
        var upstream = new Socket(server.getAddress(), server.getPort());
        upstream.setTcpNoDelay(true);
        upstream.setSoTimeout(LONGEST_MILLIS);
        return upstream;
    }

    private boolean give(Answer answer) throws IOException {
        client.getOutputStream().write(answer.bytes());
        return !answer.last();
    }

    private boolean trickle(Answer answer, int pieces, Duration pause) throws IOException {
        OutputStream out = client.getOutputStream();
        int size = Math.max(1, answer.bytes().length / pieces);
        for (int at = 0; at < answer.bytes().length; at += size) {
            out.write(answer.bytes(), at, Math.min(size, answer.bytes().length - at));
            pause(pause);
        }
        return !answer.last();
    }

    /** Ends with RST instead of FIN. Answers false: there is no further request. */
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
