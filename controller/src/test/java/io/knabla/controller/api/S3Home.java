package io.knabla.controller.api;

import io.knabla.storage.ObjectStore;
import io.knabla.storage.s3.S3ProxyServer;
import io.knabla.storage.s3.S3Server;
import io.knabla.storage.setup.Stores;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;

/** Starts a test platform with its store in S3, and a second bucket of another owner. */
public final class S3Home implements QuarkusTestResourceLifecycleManager {
    private Path folder;
    private S3Server server;
    private String theirs;
    private ObjectStore bucket;

    @Override
    public Map<String, String> start() {
        try {
            folder = Files.createTempDirectory("knabla-s3-test");
            server = S3ProxyServer.start(Files.createDirectory(folder.resolve("buckets")));
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
        theirs = server.newBucket();
        bucket = Stores.open("s3://" + theirs, server.environment());
        // The SDK reads system properties after the environment.
        System.setProperty("aws.accessKeyId", server.accessKey());
        System.setProperty("aws.secretAccessKey", server.secretKey());
        Map<String, String> settings = new HashMap<>();
        settings.put("knabla.home", folder.resolve("home").toString());
        settings.put("knabla.store", "s3://" + server.newBucket() + "/platform");
        settings.put("knabla.s3.endpoint", server.endpoint().toString());
        settings.put("knabla.s3.region", "us-east-1");
        settings.put("knabla.warm.pool.max", "0");
        settings.put("knabla.upload.mebibytes", "64");
        settings.put("knabla.replica.home", folder.resolve("no-replica").toString());
        return settings;
    }

    @Override
    public void inject(TestInjector tests) {
        tests.injectIntoFields(new Bucket(theirs, bucket), field -> field.getType() == Bucket.class);
    }

    /** The bucket of another owner. */
    public record Bucket(String name, ObjectStore store) {}

    @Override
    public void stop() {
        bucket.close();
        server.close();
        System.clearProperty("aws.accessKeyId");
        System.clearProperty("aws.secretAccessKey");
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
    }
}
