package io.knabla.storage.s3;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.knabla.storage.ByteRange;
import io.knabla.storage.Content;
import io.knabla.storage.Contents;
import io.knabla.storage.ObjectInfo;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.WrongSizeException;
import io.knabla.storage.s3.client.Digests;
import io.knabla.storage.s3.client.S3Bucket;
import io.knabla.storage.s3.client.S3Settings;
import io.knabla.storage.s3.client.WriteCondition;
import io.knabla.storage.s3.faults.S3Location;
import io.knabla.storage.s3.parts.MultipartUploads;
import io.knabla.storage.s3.parts.MultipartWriter;
import io.knabla.storage.s3.parts.PartPlan;
import io.knabla.storage.s3.parts.PartSettings;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.model.ChecksumAlgorithm;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** Tests multipart uploads on any server. */
public abstract class MultipartContract {
    private static final ObjectKey KEY = ObjectKey.of("blobs/abc");
    private static final long PART = PartPlan.MIN_PART;
    private static final WriteCondition ALWAYS = new WriteCondition.Always();
    private static final WriteCondition ABSENT = new WriteCondition.Absent();
    private static final Map<String, String> MINE = Map.of("knabla-test", "mine");

    private S3Bucket bucket;
    private ObjectStore store;
    private MultipartUploads multiparts;
    private MultipartWriter writer;

    protected abstract S3Server server();

    @BeforeEach
    void open() {
        String place = "s3://" + server().newBucket() + "/some/prefix";
        store = S3ObjectStore.open(place, server().environment());
        bucket = new S3Bucket(S3Location.parse(place), S3Settings.of(server().environment()));
        multiparts = new MultipartUploads(bucket);
        writer = new MultipartWriter(bucket, new PartSettings(PART, 3));
    }

    @AfterEach
    void close() {
        store.close();
        bucket.close();
    }

    @Test
    void writesContentOfAnySize() throws IOException {
        for (long size : new long[] {1, PART - 1, PART, PART + 1, 4 * PART, 7 * PART + 1}) {
            String etag = writer.put(KEY, PatternedContent.of(size, 0), ALWAYS, MINE);

            ObjectInfo info = store.stat(KEY).orElseThrow();
            assertThat(info.etag()).isEqualTo(etag);
            assertThat(info.size()).isEqualTo(size);
            assertHolds(PatternedContent.of(size, 0));
        }
        assertThat(multiparts.head(KEY).orElseThrow().metadata()).isEqualTo(MINE);
        assertNothingLeft();
    }

    @Test
    void wrongSizeLeavesNothing() throws IOException {
        byte[] bytes = new byte[(int) (2 * PART)];
        for (long announced : new long[] {PART, 2 * PART - 1, 2 * PART + 1, 5 * PART}) {
            Content wrong = Content.namedByKey(Contents.announcing(announced, bytes));
            assertThatThrownBy(() -> writer.put(KEY, wrong, ABSENT, MINE))
                    .isInstanceOf(WrongSizeException.class)
                    .hasMessageContaining(announced < bytes.length ? "more" : "" + bytes.length);
        }
        assertThat(store.stat(KEY)).isEmpty();
        assertNothingLeft();
    }

    @Test
    void passesOnContentErrorsAndLeavesNothing() {
        IOException failure = new IOException("the client went away");
        Content broken = Contents.failingAfter((int) (2 * PART + 1), failure);

        assertThatThrownBy(() -> writer.put(KEY, broken, ALWAYS, MINE)).isSameAs(failure);

        assertThat(store.stat(KEY)).isEmpty();
        assertNothingLeft();
    }

    @Test
    void doesNotOverwriteAnExistingObject() throws IOException {
        store.write(KEY, Content.of("there".getBytes(UTF_8)));

        S3Exception refused = catchThrowableOfType(
                S3Exception.class, () -> writer.put(KEY, PatternedContent.named(2 * PART), ABSENT, MINE));

        assertThat(refused.statusCode()).isEqualTo(412);
        assertThat(store.read(KEY).orElseThrow().bytes()).asString(UTF_8).isEqualTo("there");
        assertNothingLeft();
    }

    @Test
    void replacesOnlyTheMatchingVersion() throws IOException {
        String first = writer.put(KEY, PatternedContent.of(2 * PART, 1), ALWAYS, MINE);
        String second = writer.put(KEY, PatternedContent.of(2 * PART, 2), new WriteCondition.Matches(first), MINE);

        S3Exception refused = catchThrowableOfType(
                S3Exception.class,
                () -> writer.put(KEY, PatternedContent.of(2 * PART, 3), new WriteCondition.Matches(first), MINE));
        assertThat(refused.statusCode()).isEqualTo(412);
        assertThat(store.stat(KEY).orElseThrow().etag()).isEqualTo(second);
        assertHolds(PatternedContent.of(2 * PART, 2));
        assertThatThrownBy(() ->
                        writer.put(KEY, Contents.announcing(7, new byte[8]), new WriteCondition.Matches(second), MINE))
                .isInstanceOf(WrongSizeException.class);
        assertHolds(PatternedContent.of(2 * PART, 2));
    }

    @Test
    void resumesAndResendsPartsThatDiffer() throws IOException {
        Content content = PatternedContent.named(3 * PART);
        Map<String, String> dead = Map.of("knabla-test", "of the client that died");
        String id = multiparts.create(KEY, create -> create.metadata(dead).checksumAlgorithm(ChecksumAlgorithm.CRC32));
        part(id, 1, content);
        part(id, 3, PatternedContent.of(3 * PART, 9));

        writer.put(KEY, content, ABSENT, MINE);

        assertHolds(content);
        assertThat(multiparts.head(KEY).orElseThrow().metadata()).isEqualTo(dead);
        assertNothingLeft();
    }

    @Test
    void doesNotResumeAnUploadOfContentThatMayDiffer() throws IOException {
        String id = multiparts.create(KEY, create -> create.checksumAlgorithm(ChecksumAlgorithm.CRC32));
        part(id, 1, PatternedContent.of(2 * PART, 0));

        writer.put(KEY, PatternedContent.of(2 * PART, 0), ABSENT, MINE);

        assertHolds(PatternedContent.of(2 * PART, 0));
        assertThat(multiparts.head(KEY).orElseThrow().metadata()).isEqualTo(MINE);
        assertThat(multiparts.newestIncomplete(KEY)).contains(id);
    }

    @Test
    void doesNotResumeAnUploadWithOtherPartSizes() throws IOException {
        String id = multiparts.create(KEY, _ -> {});
        bucket.client()
                .uploadPart(
                        part -> part.bucket(bucket.name())
                                .key(bucket.name(KEY))
                                .uploadId(id)
                                .partNumber(1),
                        RequestBody.fromString("another's"));

        writer.put(KEY, PatternedContent.named(2 * PART), ABSENT, MINE);

        assertHolds(PatternedContent.of(2 * PART, 0));
        assertThat(multiparts.head(KEY).orElseThrow().metadata()).isEqualTo(MINE);
        assertThat(multiparts.newestIncomplete(KEY)).contains(id);
    }

    @Test
    void restartsWhenAnotherClientAbortsTheUpload() throws IOException {
        Content content = PatternedContent.named(4 * PART);
        Content swept = PatternedContent.watched(
                content,
                read -> {
                    if (read < PART) {
                        multiparts.newestIncomplete(KEY).ifPresent(id -> multiparts.abort(KEY, id));
                    }
                },
                1);

        writer.put(KEY, swept, ABSENT, MINE);

        assertHolds(content);
        assertNothingLeft();
    }

    @Test
    void succeedsWhenAnotherClientCompletesTheUpload() throws IOException {
        Content content = PatternedContent.named(3 * PART);
        Content overtaken = PatternedContent.watched(
                content,
                read -> {
                    if (read == 3 * PART) {
                        awaitAPart();
                        otherClient(content);
                    }
                },
                1);

        String etag = writer.put(KEY, overtaken, ABSENT, MINE);

        assertThat(store.stat(KEY).orElseThrow().etag()).isEqualTo(etag);
        assertHolds(content);
        assertNothingLeft();
    }

    @Test
    void sweepAbortsOnlyStaleUploads() {
        String old = multiparts.create(KEY, _ -> {});
        part(old, 1, PatternedContent.of(PART, 0));
        String elsewhere = bucket.client()
                .createMultipartUpload(create -> create.bucket(bucket.name()).key("another/place"))
                .uploadId();

        assertThat(store.abortStaleUploads(Instant.now().minusSeconds(60))).isZero();
        assertThat(multiparts.newestIncomplete(KEY)).contains(old);
        assertThat(store.abortStaleUploads(Instant.now().plusSeconds(60))).isEqualTo(1);

        assertNothingLeft();
        assertThat(bucket.client()
                        .listMultipartUploads(list -> list.bucket(bucket.name()))
                        .uploads())
                .extracting(upload -> upload.uploadId())
                .containsExactly(elsewhere);
    }

    private void awaitAPart() {
        String id = multiparts.newestIncomplete(KEY).orElseThrow();
        while (multiparts.parts(KEY, id).isEmpty()) {
            Thread.onSpinWait();
        }
    }

    private void otherClient(Content content) {
        try {
            new MultipartWriter(bucket, new PartSettings(PART, 2)).put(KEY, content, ABSENT, Map.of());
        } catch (IOException impossible) {
            throw new AssertionError(impossible);
        }
    }

    private void part(String id, int number, Content content) {
        try (InputStream in = content.open()) {
            in.skipNBytes((number - 1) * PART);
            byte[] bytes = in.readNBytes((int) PART);
            bucket.client()
                    .uploadPart(
                            part -> part.bucket(bucket.name())
                                    .key(bucket.name(KEY))
                                    .uploadId(id)
                                    .partNumber(number)
                                    .checksumCRC32(Digests.crc32(bytes, bytes.length)),
                            RequestBody.fromBytes(bytes));
        } catch (IOException impossible) {
            throw new AssertionError(impossible);
        }
    }

    private void assertHolds(Content expected) throws IOException {
        try (InputStream in = store.open(KEY, ByteRange.ALL).orElseThrow();
                InputStream wanted = expected.open()) {
            assertThat(in.readAllBytes()).isEqualTo(wanted.readAllBytes());
        }
    }

    private void assertNothingLeft() {
        assertThat(multiparts.uploads("")).isEmpty();
    }
}
