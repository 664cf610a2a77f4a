package io.knabla.storage.s3.client;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import software.amazon.awssdk.services.s3.S3Client;

/** Creates the S3 client on first use, because loading the SDK slows down a start. */
public final class LazyClient implements AutoCloseable {
    private final Supplier<S3Client> maker;
    private S3Client client;

    public LazyClient(S3Settings settings) {
        this(() -> S3Clients.make(settings));
    }

    LazyClient(Supplier<S3Client> maker) {
        this.maker = maker;
    }

    public synchronized S3Client get() {
        if (client == null) {
            client = Thread.currentThread().isVirtual() ? onPlatformThread(maker) : maker.get();
        }
        return client;
    }

    /**
     * The SDK looks for files in jars while a client is created. A virtual thread that waits for a jar there is woken
     * before others that wait for it, and then needs a carrier. If all carriers wait for a class out of that jar, which
     * one of these others is loading, nobody goes on: a wait for a class keeps the carrier (JEP 491).
     */
    private static S3Client onPlatformThread(Supplier<S3Client> maker) {
        try {
            return CompletableFuture.supplyAsync(
                            maker, Thread.ofPlatform().name("s3-client").daemon()::start)
                    .join();
        } catch (CompletionException failed) {
            if (failed.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw failed;
        }
    }

    @Override
    public synchronized void close() {
        if (client != null) {
            client.close();
            client = null;
        }
    }
}
