package io.knabla.bench.load;

import io.knabla.bench.statistics.LatencyHistogram;
import io.knabla.bench.wire.Call;
import io.knabla.bench.wire.Protocol;
import io.knabla.bench.wire.ResponseReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;

/** One keep-alive connection: repeats the same request as soon as the response is complete. */
final class Connection {
    private final SocketChannel channel;
    private final ByteBuffer request;
    private final ByteBuffer incoming = ByteBuffer.allocateDirect(64 * 1024);
    private final ResponseReader reader;
    private final Protocol protocol;
    private final AcceptedBodies accepted;
    private long sentNanos;

    private Connection(SocketChannel channel, Call call, AcceptedBodies accepted) {
        this.channel = channel;
        this.request =
                ByteBuffer.allocateDirect(call.http().length).put(call.http()).flip();
        this.protocol = call.protocol();
        this.reader = protocol.reader();
        this.accepted = accepted;
    }

    static Connection open(Selector selector, Call call, AcceptedBodies accepted) throws IOException {
        SocketChannel channel = SocketChannel.open(call.address());
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.write(ByteBuffer.wrap(call.protocol().opening()));
        channel.configureBlocking(false);
        var connection = new Connection(channel, call, accepted);
        channel.register(selector, SelectionKey.OP_READ, connection);
        return connection;
    }

    void send() throws IOException {
        sentNanos = System.nanoTime();
        // Requests are far smaller than the socket's send buffer, which is empty here.
        if (channel.write(request.rewind()) != request.limit()) {
            throw new IOException("the request did not fit the socket's buffer");
        }
    }

    void readable(LatencyHistogram latencies) throws IOException {
        int count = channel.read(incoming.clear());
        if (count < 0) {
            throw new EOFException("the server closed a keep-alive connection");
        }
        incoming.flip();
        boolean whole = false;
        while (incoming.hasRemaining()) {
            byte[] room = reader.room();
            int part = Math.min(incoming.remaining(), room.length - reader.count());
            incoming.get(room, reader.count(), part);
            whole = reader.received(part);
        }
        if (whole) {
            latencies.record(System.nanoTime() - sentNanos);
            accepted.require(reader);
            reader.reset();
            protocol.next(request);
            send();
        }
    }

    void close() {
        try {
            channel.close();
        } catch (IOException error) {
            throw new UncheckedIOException("cannot close a connection", error);
        }
    }
}
