package io.knabla.storage.s3;

import io.knabla.s3server.AtomicBlobStore;
import io.knabla.s3server.Servers;
import io.knabla.storage.s3.servers.SelfSigned;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.gaul.s3proxy.AccessGrant;
import org.gaul.s3proxy.S3Proxy;
import org.gaul.s3proxy.blobstore.BlobStore;

/** Runs S3Proxy in this JVM on a folder, with AWS Signature Version 4. */
public final class S3ProxyServer implements S3Server {
    private static final String ACCESS_KEY = "local-identity";
    private static final String SECRET_KEY = "local-credential";

    private static final URI ANY_PORT = URI.create("http://127.0.0.1:0");
    private static final Consumer<S3Proxy.Builder> PLAIN = server -> server.endpoint(ANY_PORT);

    private final Path folder;
    private final Optional<SelfSigned> key;
    private final S3Proxy server;
    private final BlobStore store;

    private S3ProxyServer(Path folder, Optional<SelfSigned> key, S3Proxy server, BlobStore store) {
        this.folder = folder;
        this.key = key;
        this.server = server;
        this.store = store;
    }

    /** @param folder parent of the bucket folders */
    public static S3ProxyServer start(Path folder) {
        return start(folder, AtomicBlobStore::new, Optional.empty(), PLAIN);
    }

    /** Starts a server that other machines can reach, such as the pods of a cluster. */
    public static S3ProxyServer startForAll(Path folder) {
        return start(
                folder,
                AtomicBlobStore::new,
                Optional.empty(),
                server -> server.endpoint(URI.create("http://0.0.0.0:0")));
    }

    /** Rejects its access keys from now on, as after their revocation. */
    public void revokeKeys() {
        server.setBlobStoreLocator((_, _, _) -> null);
    }

    public void restoreKeys() {
        var grant = new AccessGrant(SECRET_KEY, store);
        server.setBlobStoreLocator((key, _, _) -> ACCESS_KEY.equals(key) ? grant : null);
    }

    /** Starts a server without atomic conditional writes: several writers can win a race. Knabla must detect it. */
    public static S3ProxyServer startWithoutAtomicConditions(Path folder) {
        return start(folder, store -> store, Optional.empty(), PLAIN);
    }

    /** As {@link #start(Path)}, but also with virtual-host addressing below {@code localhost}. */
    static S3ProxyServer startWithNames(Path folder) {
        return start(
                folder,
                AtomicBlobStore::new,
                Optional.empty(),
                server -> server.endpoint(ANY_PORT).virtualHost("localhost"));
    }

    /** Starts a server with TLS. */
    public static S3ProxyServer startWithTls(Path folder, SelfSigned key) {
        return start(
                folder,
                AtomicBlobStore::new,
                Optional.of(key),
                server -> server.secureEndpoint(URI.create("https://127.0.0.1:0"))
                        .keyStore(key.keys().toUri().toString(), key.password()));
    }

    private static S3ProxyServer start(
            Path folder,
            UnaryOperator<BlobStore> promises,
            Optional<SelfSigned> key,
            Consumer<S3Proxy.Builder> reached) {
        try {
            var kept = new AtomicReference<BlobStore>();
            S3Proxy.Builder server =
                    Servers.on(folder, plain -> kept.updateAndGet(_ -> promises.apply(plain)), ACCESS_KEY, SECRET_KEY);
            reached.accept(server);
            S3Proxy built = server.build();
            built.start();
            return new S3ProxyServer(folder, key, built, kept.get());
        } catch (Exception failed) {
            throw new IllegalStateException("S3Proxy does not start", failed);
        }
    }

    @Override
    public URI endpoint() {
        return URI.create(
                key.isPresent()
                        ? "https://127.0.0.1:" + server.getSecurePort()
                        : "http://127.0.0.1:" + server.getPort());
    }

    @Override
    public String accessKey() {
        return ACCESS_KEY;
    }

    @Override
    public String secretKey() {
        return SECRET_KEY;
    }

    @Override
    public Map<String, String> environment() {
        Map<String, String> environment = new TreeMap<>(S3Server.super.environment());
        key.ifPresent(own -> environment.put("KNABLA_S3_CA", own.ca().toString()));
        return environment;
    }

    @Override
    public String newBucket() {
        String name = "test-" + UUID.randomUUID();
        try {
            Files.createDirectory(folder.resolve(name));
        } catch (IOException failed) {
            throw new IllegalStateException("cannot make bucket " + name, failed);
        }
        return name;
    }

    @Override
    public void close() {
        try {
            server.stop();
        } catch (Exception failed) {
            throw new IllegalStateException("S3Proxy does not stop", failed);
        }
    }
}
