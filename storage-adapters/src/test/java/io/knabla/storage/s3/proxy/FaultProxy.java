package io.knabla.storage.s3.proxy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;

/**
 * Forwards HTTP/1.1 to one server and injects the faults of a {@link FaultPlan}. Holds whole messages in memory, to
 * truncate and duplicate them.
 */
public final class FaultProxy implements AutoCloseable {
    private final ServerSocket door;
    private final InetSocketAddress server;
    private final FaultPlan plan;
    private final Consumer<MessageHead> otherWriter;
    private final Set<Socket> connections = ConcurrentHashMap.newKeySet();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    private FaultProxy(ServerSocket door, InetSocketAddress server, FaultPlan plan, Consumer<MessageHead> otherWriter) {
        this.door = door;
        this.server = server;
        this.plan = plan;
        this.otherWriter = otherWriter;
    }

    public static FaultProxy start(URI server, FaultPlan plan) {
        return start(server, plan, _ -> {});
    }

    /** @param otherWriter runs before a request with a {@link Fault.Race} is forwarded */
    public static FaultProxy start(URI server, FaultPlan plan, Consumer<MessageHead> otherWriter) {
        try {
            var door = new ServerSocket(0, 256, InetAddress.getLoopbackAddress());
            var address = new InetSocketAddress(server.getHost(), server.getPort());
            var proxy = new FaultProxy(door, address, plan, otherWriter);
            proxy.threads.execute(proxy::accept);
            return proxy;
        } catch (IOException failed) {
            throw new UncheckedIOException("no port for the proxy", failed);
        }
    }

    public URI endpoint() {
        return URI.create("http://127.0.0.1:" + door.getLocalPort());
    }

    private void accept() {
        while (!door.isClosed()) {
            try {
                Socket client = door.accept();
                connections.add(client);
                if (door.isClosed()) {
                    client.close();
                }
                threads.execute(() -> serve(client));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void serve(Socket client) {
        try (client) {
            client.setTcpNoDelay(true);
            new ProxyConnection(client, server, plan, otherWriter).run();
        } catch (IOException ended) {
            // One side closed its connection, as intended by the faults.
        } finally {
            connections.remove(client);
        }
    }

    /** Waits for requests in progress: none reaches the server afterwards. */
    @Override
    public void close() {
        try {
            door.close();
            for (Socket one : connections) {
                one.close();
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        threads.close();
    }
}
