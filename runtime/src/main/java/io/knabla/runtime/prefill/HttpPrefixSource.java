package io.knabla.runtime.prefill;

import io.knabla.runtime.generation.PrefixSource;
import io.knabla.runtime.http.ClientConnection;
import io.knabla.runtime.http.HttpFault;
import io.knabla.runtime.http.LimitedLog;
import io.knabla.runtime.http.ResponseHead;
import io.knabla.runtime.protocol.JsonWriter;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Fetches keys and values of prompts from the replicas of another function over HTTP. */
public final class HttpPrefixSource implements PrefixSource {
    private static final int CONNECT_MILLIS = 1_000;
    private static final int BUFFER = 128 << 10;
    private static final LimitedLog LOG = new LimitedLog(InstantSource.system(), line -> System.err.println(line));

    private final PrefillAddress address;
    private final KeyValueDigest keyValues;
    private final Duration deadline;
    private final Set<ClientConnection> open = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /** @param deadline of a fetch, after which the prompt is read here */
    public HttpPrefixSource(PrefillAddress address, KeyValueDigest keyValues, Duration deadline) {
        this.address = address;
        this.keyValues = keyValues;
        this.deadline = deadline;
    }

    @Override
    public void fetch(int[] prompt, int first, Supplier<List<ByteBuffer>> room, Consumer<Fetched> done) {
        Thread.ofVirtual().name("prefix-fetch").start(() -> {
            Fetched fetched = Fetched.FAILED;
            try {
                fetched = fetched(prompt, first, room);
            } finally {
                done.accept(fetched);
            }
        });
    }

    private Fetched fetched(int[] prompt, int first, Supplier<List<ByteBuffer>> room) {
        var ended = new CountDownLatch(1);
        try (ClientConnection connection =
                ClientConnection.open(new InetSocketAddress(address.url().getHost(), address.port()), CONNECT_MILLIS)) {
            open.add(connection);
            Thread.ofVirtual().name("prefix-deadline").start(() -> closeAfter(connection, ended));
            try {
                return closed ? Fetched.FAILED : exchange(connection, request(prompt, first), room);
            } finally {
                open.remove(connection);
            }
        } catch (IOException | RuntimeException | OutOfMemoryError unreachable) {
            return failed(unreachable.toString());
        } finally {
            ended.countDown();
        }
    }

    /** A limit of reads would bound neither all of them nor writes. */
    private void closeAfter(ClientConnection connection, CountDownLatch ended) {
        try {
            if (!ended.await(deadline.toNanos(), TimeUnit.NANOSECONDS)) {
                LOG.write("%s sent no keys and values within %d ms".formatted(address.url(), deadline.toMillis()));
                connection.close();
            }
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        }
    }

    private Fetched failed(String why) {
        if (!closed) {
            LOG.write("%s reads no prompt, so it is read here: %s".formatted(address.url(), why));
        }
        return Fetched.FAILED;
    }

    private byte[] request(int[] prompt, int first) {
        JsonWriter json = new JsonWriter(256 + 6 * prompt.length)
                .raw("{\"" + PrefixProtocol.DIGEST + "\":")
                .text(keyValues.digest().value());
        json.raw(",\"" + PrefixProtocol.FIRST_BLOCK + "\":").number(first);
        json.raw(",\"" + PrefixProtocol.PROMPT + "\":[");
        for (int i = 0; i < prompt.length; i++) {
            json.raw(i > 0 ? "," : "").number(prompt[i]);
        }
        json.raw("]}");
        return Arrays.copyOf(json.bytes(), json.size());
    }

    private byte[] head(int length) {
        String key = address.key().isEmpty() ? "" : "Authorization: Bearer " + address.key() + "\r\n";
        return "POST %s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\n%sConnection: close\r\nContent-Length: %d\r\n\r\n"
                .formatted(address.url().getRawPath(), address.url().getRawAuthority(), key, length)
                .getBytes(StandardCharsets.ISO_8859_1);
    }

    private Fetched exchange(ClientConnection connection, byte[] body, Supplier<List<ByteBuffer>> room)
            throws IOException {
        connection.begin(false);
        byte[] head = head(body.length);
        connection.send(head, head.length);
        connection.send(body, body.length);
        ResponseHead answer = connection.readHead();
        return answer.status() == 200
                ? received(connection, answer, room.get())
                : failed("status %d: %s".formatted(answer.status(), sentence(connection, answer)));
    }

    private static String sentence(ClientConnection connection, ResponseHead answer) throws IOException {
        long length = ClientConnection.length(answer);
        return length < 0 || length > BUFFER
                ? "no sentence"
                : new String(connection.readAll((int) length), StandardCharsets.UTF_8).replaceAll("\\p{Cntrl}+", " ");
    }

    private Fetched received(ClientConnection connection, ResponseHead answer, List<ByteBuffer> room)
            throws IOException {
        int blocks = number(answer, PrefixProtocol.BLOCKS);
        int cached = number(answer, PrefixProtocol.CACHED);
        long length = blocks * (long) room.getFirst().remaining();
        if (blocks == 0) {
            return failed("it has no room for beginnings of prompts; raise its generation.kvCache.maxBytes");
        }
        if (blocks > room.size() || ClientConnection.length(answer) != length) {
            return failed("its answer has another form: %d blocks in %d bytes"
                    .formatted(blocks, ClientConnection.length(answer)));
        }
        byte[] buffer = new byte[BUFFER];
        var filling = new BlockFill(room.subList(0, blocks));
        try {
            for (int read; !filling.isFull() && (read = connection.read(buffer)) > 0; ) {
                filling.put(buffer, read);
            }
            return new Fetched(filling.blocks(), cached, !filling.isFull());
        } catch (IOException | HttpFault broken) {
            failed(broken.toString());
            return new Fetched(filling.blocks(), cached, true);
        }
    }

    /** @throws IOException if the header is not there */
    private static int number(ResponseHead answer, String header) throws IOException {
        String text = answer.headers().get(header);
        try {
            return Math.max(0, Integer.parseInt(text));
        } catch (NumberFormatException none) {
            throw new IOException("its answer lacks the header " + header, none);
        }
    }

    @Override
    public void close() {
        closed = true;
        open.forEach(ClientConnection::close);
    }
}
