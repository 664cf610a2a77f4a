package io.knabla.runtime.pool;

import io.knabla.functions.unit.UnitAssignment;
import io.knabla.runtime.http.HttpLimits;
import io.knabla.runtime.http.HttpServer;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.StorageException;
import io.knabla.storage.setup.Stores;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/** Runs the pool of a namespace until the process is stopped. */
public final class WakePool {
    /** The functions' own limits hold; this one is that of the server's memory. */
    private static final int MOST_BODY = 64 << 20;

    private static final int WARM_READS = 3;

    private WakePool() {}

    public static void run(PoolSettings settings) throws IOException {
        ObjectStore store = Stores.open(settings.store());
        var command = MemberCommand.ofThisProcess(settings.heapMebibytes(), settings.temp(), program());
        var spares = new SpareMembers(command, settings.spares());
        var members = new Members(store, settings.cache(), settings.memoryBytes(), spares);
        var assignments = new Assignments(store, settings.namespace(), System::nanoTime);
        var front = new PoolFront(settings.namespace(), assignments, members);
        members.start();
        warm(store, settings.namespace());
        HttpServer server = HttpServer.open(
                new InetSocketAddress(settings.host(), settings.port()), front, HttpLimits.forBodies(MOST_BODY));
        System.out.println("{\"event\":\"listening\",\"port\":" + server.port() + "}");
        Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(() -> {
            server.close();
            members.close();
        }));
        awaitEnd();
    }

    /** The first read loads hundreds of classes of the S3 client and opens its connection: no caller waits for that. */
    private static void warm(ObjectStore store, String namespace) {
        try {
            for (int i = 0; i < WARM_READS; i++) {
                store.read(UnitAssignment.key(namespace, "none"));
            }
        } catch (StorageException outage) {
            System.err.println("the store does not answer yet: " + outage.getMessage());
        }
    }

    /** The argument file beside this program whose AOT cache has all types of units. */
    private static Path program() {
        Path jar = Path.of(System.getProperty("java.class.path"));
        return jar.toAbsolutePath().resolveSibling("replica-all.args");
    }

    private static void awaitEnd() {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        }
    }
}
