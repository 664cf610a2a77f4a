package io.knabla.runtime.prefill;

import io.knabla.functions.unit.generation.KeyValueDigest;
import io.knabla.runtime.generation.PrefixSource.Fetched;
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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** One HTTP request for the keys and values (KV cache) of a prompt to another function; can be cancelled. */
final class HttpPrefixFetch {
    private static final int CONNECT_MILLIS = 1_000;
    private static final int BUFFER = 128 << 10;
    private static final LimitedLog LOG = new LimitedLog(InstantSource.system(), line -> System.err.println(line));

    private final PrefillAddress address;
    private final KeyValueDigest keyValues;
    private final Duration deadline;
    private ClientConnection connection;
    private boolean cancelled;

    /** @param deadline after which the prompt is read here */
    HttpPrefixFetch(PrefillAddress address, KeyValueDigest keyValues, Duration deadline) {
        this.address = address;
        this.keyValues = keyValues;
        this.deadline = deadline;
    }

    /** Ends the fetch; on any thread. */
    synchronized void cancel() {
        cancelled = true;
        if (connection != null) {
            connection.close();
        }
    }

    private synchronized void opened(ClientConnection now) {
        connection = now;
        if (cancelled) {
            now.close();
        }
    }

    private synchronized boolean isCancelled() {
        return cancelled;
    }

    /** Takes the same as {@link io.knabla.runtime.generation.PrefixSource#fetch}, and returns what came. */
    Fetched run(int[] prompt, int first, Supplier<List<ByteBuffer>> room) {
        var ended = new CountDownLatch(1);
        try (ClientConnection open =
                ClientConnection.open(new InetSocketAddress(address.url().getHost(), address.port()), CONNECT_MILLIS)) {
            opened(open);
            Thread.ofVirtual().name("prefix-deadline").start(() -> cancelAfter(ended));
            return exchange(request(prompt, first), room);
        } catch (IOException | RuntimeException | OutOfMemoryError unreachable) {
            return failed(unreachable.toString());
        } finally {
            ended.countDown();
        }
    }

    /** A limit of reads would bound neither all of them nor writes. */
    private void cancelAfter(CountDownLatch ended) {
        try {
            if (!ended.await(deadline.toNanos(), TimeUnit.NANOSECONDS)) {
                LOG.write("%s sent no keys and values within %d ms, so the prompt is read here"
                        .formatted(address.url(), deadline.toMillis()));
                cancel();
            }
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        }
    }

    private Fetched failed(String why) {
        if (!isCancelled()) {
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

    private Fetched exchange(byte[] body, Supplier<List<ByteBuffer>> room) throws IOException {
        connection.begin(false);
        byte[] head = head(body.length);
        connection.send(head, head.length);
        connection.send(body, body.length);
        ResponseHead answer = connection.readHead();
        return answer.status() == 200
                ? received(answer, room.get())
                : failed("status %d: %s".formatted(answer.status(), sentence(answer)));
    }

    private String sentence(ResponseHead answer) throws IOException {
        long length = ClientConnection.length(answer);
        return length < 0 || length > BUFFER
                ? "no sentence"
                : new String(connection.readAll((int) length), StandardCharsets.UTF_8).replaceAll("\\p{Cntrl}+", " ");
    }

    private Fetched received(ResponseHead answer, List<ByteBuffer> room) throws IOException {
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
}
