package io.knabla.storage.s3;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.knabla.storage.ByteRange;
import io.knabla.storage.Content;
import io.knabla.storage.ExternalAddress;
import io.knabla.storage.ExternalObjects;
import io.knabla.storage.ExternalObjects.StatResult;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.StorageException;
import io.knabla.storage.setup.Stores;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests reading of objects in other buckets, and the messages for refusals. */
class S3ExternalObjectsTest {
    @TempDir
    static Path folder;

    private static S3Server server;
    private static String bucket;
    private static ObjectStore theirs;
    private static ExternalObjects foreign;

    @BeforeAll
    static void start() {
        server = S3ProxyServer.start(folder);
        bucket = server.newBucket();
        theirs = Stores.open("s3://" + bucket, server.environment());
        foreign = Stores.external(server.environment());
    }

    @AfterAll
    static void stop() {
        foreign.close();
        theirs.close();
        server.close();
    }

    private static ExternalAddress address(String key) {
        return new ExternalAddress(bucket, key);
    }

    private static void put(String key, String text) throws IOException {
        theirs.write(new ObjectKey(key), Content.of(text.getBytes(UTF_8)));
    }

    private static StatResult.Found found(ExternalAddress address) {
        return (StatResult.Found) foreign.stat(address);
    }

    private static String refused(ExternalObjects from, ExternalAddress address) {
        return ((StatResult.Refused) from.stat(address)).sentence();
    }

    @Test
    void anObjectIsReadWholeAndInRanges() throws IOException {
        put("a/model", "0123456789");
        StatResult.Found there = found(address("a/model"));
        assertThat(there.size()).isEqualTo(10);
        try (var all = foreign.open(address("a/model"), there.etag(), ByteRange.ALL);
                var some = foreign.open(address("a/model"), there.etag(), new ByteRange(3, 4))) {
            assertThat(all).hasContent("0123456789");
            assertThat(some).hasContent("3456");
        }
    }

    @Test
    void doesNotReadAReplacedObject() throws IOException {
        put("b", "old");
        String etag = found(address("b")).etag();
        put("b", "new");
        assertThat(found(address("b")).etag()).isNotEqualTo(etag);
        assertThatThrownBy(() -> foreign.open(address("b"), etag, ByteRange.ALL))
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("was replaced while it was read");
    }

    @Test
    void reportsAMissingBucketOrKey() {
        assertThat(foreign.stat(address("no/such thing?")))
                .isInstanceOfSatisfying(
                        StatResult.Absent.class,
                        absent -> assertThat(absent.sentence())
                                .contains("no object 'no/such thing?' in bucket " + bucket));
        assertThat(refused(foreign, new ExternalAddress("no-such-bucket", "key")))
                .contains("no bucket 'no-such-bucket'", "KNABLA_S3_ENDPOINT");
    }

    @Test
    void refusedCredentialsNameThePermission() {
        Map<String, String> wrong = new HashMap<>(server.environment());
        wrong.put("AWS_SECRET_ACCESS_KEY", "wrong");
        try (ExternalObjects theyAre = Stores.external(wrong)) {
            assertThat(refused(theyAre, address("a/model")))
                    .contains("s3:GetObject on arn:aws:s3:::" + bucket + "/a/model");
        }
    }

    @Test
    void reportsAnUnreachableServer() {
        Map<String, String> nowhere = new HashMap<>(server.environment());
        nowhere.put("KNABLA_S3_ENDPOINT", "http://127.0.0.1:1");
        nowhere.put("KNABLA_S3_ATTEMPTS", "1");
        try (ExternalObjects gone = Stores.external(nowhere)) {
            assertThat(refused(gone, address("a"))).contains("http://127.0.0.1:1", "KNABLA_S3_ENDPOINT");
        }
    }
}
