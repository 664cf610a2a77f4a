package io.knabla.storage.s3.faults;

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
 * Forwards HTTP/1.1 from a port of its own to one server, and does on the way what a {@link FaultPlan} says. Whole
 * messages are held in memory, so that they can be cut and sent again.
 */
public final class FaultProxy implements AutoCloseable {
    private final ServerSocket door;
    private final InetSocketAddress server;
    private final FaultPlan plan;
    private final Consumer<Head> otherWriter;
    private final Set<Socket> connections = ConcurrentHashMap.newKeySet();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    private FaultProxy(ServerSocket door, InetSocketAddress server, FaultPlan plan, Consumer<Head> otherWriter) {
        this.door = door;
        this.server = server;
        this.plan = plan;
        this.otherWriter = otherWriter;
    }

    public static FaultProxy start(URI server, FaultPlan plan) {
        return start(server, plan, _ -> {});
    }

    /** @param otherWriter runs before a request that a {@link Fault.Race} meets is passed on */
    public static FaultProxy start(URI server, FaultPlan plan, Consumer<Head> otherWriter) {
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
            new Passage(client, server, plan, otherWriter).run();
        } catch (IOException ended) {
            // Either side went away, which is what this proxy is for.
        } finally {
            connections.remove(client);
        }
    }

    /** Waits for what is on its way, so that nothing arrives at the server afterwards. */
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
