package io.knabla.storage.s3;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.gaul.s3proxy.BlobStores;
import org.gaul.s3proxy.S3Proxy;
import org.gaul.s3proxy.auth.AuthenticationType;
import org.gaul.s3proxy.blobstore.BlobStore;

/** S3Proxy in this JVM, on the file system, behind signature version 4. */
public final class S3ProxyServer implements S3Server {
    private static final String ACCESS_KEY = "local-identity";
    private static final String SECRET_KEY = "local-credential";

    private final Path folder;
    private final S3Proxy server;

    private S3ProxyServer(Path folder, S3Proxy server) {
        this.folder = folder;
        this.server = server;
    }

    /**
     * @param folder where buckets become folders
     */
    public static S3ProxyServer start(Path folder) {
        return start(folder, AtomicBlobStore::new);
    }

    /** One that checks a condition and then writes, so that several win a race: not what Knabla needs. */
    public static S3ProxyServer startUndecided(Path folder) {
        return start(folder, store -> store);
    }

    private static S3ProxyServer start(Path folder, UnaryOperator<BlobStore> promises) {
        var properties = new Properties();
        properties.setProperty("jclouds.filesystem.basedir", folder.toString());
        try {
            S3Proxy server =
                    S3Proxy.builder()
                            .blobStore(
                                    promises.apply(
                                            BlobStores.create("filesystem-nio2", properties)))
                            .endpoint(URI.create("http://127.0.0.1:0"))
                            .awsAuthentication(AuthenticationType.AWS_V4, ACCESS_KEY, SECRET_KEY)
                            .ignoreUnknownHeaders(true)
                            .build();
            server.start();
            return new S3ProxyServer(folder, server);
        } catch (Exception failed) {
            throw new IllegalStateException("S3Proxy does not start", failed);
        }
    }

    @Override
    public URI endpoint() {
        return URI.create("http://127.0.0.1:" + server.getPort());
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
