package io.knabla.s3server;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import org.gaul.s3proxy.S3Proxy;

/** Starts the server as a process, for a cluster on one machine: no TLS, one disk, no replication. */
public final class Main {
    private static final int FAILED = 3;

    private Main() {}

    public static void main(String[] arguments) {
        try {
            Settings settings = Settings.parse(System.getenv());
            System.out.println("listening on port " + start(settings).getPort() + ": " + settings);
        } catch (Exception failed) {
            System.err.println("the S3 server does not start: " + failed.getMessage());
            System.exit(FAILED);
        }
    }

    static S3Proxy start(Settings settings) throws Exception {
        try {
            for (String bucket : settings.buckets()) {
                Files.createDirectories(settings.folder().resolve(bucket));
            }
        } catch (IOException unwritable) {
            throw new IOException(
                    "cannot make %s (%s). Mount a volume there that user 65532 may write, or name another folder in KNABLA_S3_FOLDER."
                            .formatted(settings.folder(), unwritable),
                    unwritable);
        }
        S3Proxy server = Servers.on(settings.folder(), AtomicBlobStore::new, settings.accessKey(), settings.secretKey())
                .endpoint(URI.create("http://0.0.0.0:" + settings.port()))
                .build();
        server.start();
        return server;
    }
}
