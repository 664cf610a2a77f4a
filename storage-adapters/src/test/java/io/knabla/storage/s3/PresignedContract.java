package io.knabla.storage.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.knabla.storage.ByteRange;
import io.knabla.storage.Contents;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.PresignedUploads;
import io.knabla.storage.PresignedUploads.Part;
import io.knabla.storage.PresignedUploads.Upload;
import io.knabla.storage.s3.client.S3Bucket;
import io.knabla.storage.s3.client.S3Settings;
import io.knabla.storage.s3.faults.S3Location;
import io.knabla.storage.s3.parts.MultipartCopy;
import io.knabla.storage.s3.parts.MultipartUploads;
import io.knabla.storage.s3.parts.PartPlan;
import io.knabla.storage.s3.parts.S3PresignedUploads;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests presigned uploads: a client without credentials sends the parts by plain HTTP. */
public abstract class PresignedContract {
    private static final ObjectKey INCOMING = ObjectKey.of("incoming/abc-1");
    private static final ObjectKey MODEL = ObjectKey.of("models/abc");
    private static final Duration VALID = Duration.ofHours(1);
    private static final long SIZE = 2 * PartPlan.MIN_PART + 12_345;

    private final HttpClient http = HttpClient.newHttpClient();
    private S3Bucket bucket;
    private ObjectStore store;
    private PresignedUploads uploads;

    protected abstract S3Server server();

    protected boolean checksSignatures() {
        return true;
    }

    @BeforeEach
    void open() {
        String place = "s3://" + server().newBucket() + "/some/prefix";
        store = S3ObjectStore.open(place, server().environment());
        bucket = new S3Bucket(S3Location.parse(place), S3Settings.of(server().environment()));
        long part = PartPlan.MIN_PART;
        uploads = new S3PresignedUploads(bucket, part, new MultipartCopy(bucket, part, part));
    }

    @AfterEach
    void close() {
        store.close();
        bucket.close();
        http.close();
    }

    @Test
    void listsOnlyMissingPartsUntilComplete() throws Exception {
        Upload first = uploads.begin(INCOMING, SIZE, VALID);
        assertThat(first.missing()).extracting(Part::number).containsExactly(1, 2, 3);
        assertThat(first.missing().getLast().size()).isEqualTo(12_345);
        assertThat(send(first.missing().get(1))).isEqualTo(200);
        assertThat(uploads.complete(INCOMING, first.id(), SIZE)).isEmpty();
        assertThat(store.stat(INCOMING)).isEmpty();

        Upload again = uploads.begin(INCOMING, SIZE, VALID);
        assertThat(again.id()).isEqualTo(first.id());
        assertThat(again.missing()).extracting(Part::number).containsExactly(1, 3);
        for (Part part : again.missing()) {
            assertThat(send(part)).isEqualTo(200);
        }
        String etag = uploads.complete(INCOMING, first.id(), SIZE).orElseThrow();

        assertThat(store.stat(INCOMING).orElseThrow().etag()).isEqualTo(etag);
        assertHolds(INCOMING);
        assertThat(uploads.complete(INCOMING, first.id(), SIZE)).contains(etag);
    }

    @Test
    void urlAuthorisesOnlyItsOwnPart() throws Exception {
        assumeThat(checksSignatures()).isTrue();
        Part part = uploads.begin(INCOMING, SIZE, VALID).missing().getFirst();
        String other = part.url().toString().replace("partNumber=1", "partNumber=2");
        var request = HttpRequest.newBuilder(URI.create(other))
                .PUT(HttpRequest.BodyPublishers.ofString("small"))
                .build();

        assertThat(http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode())
                .isEqualTo(403);
    }

    @Test
    void startsOverAfterAnAbort() throws Exception {
        Upload first = uploads.begin(INCOMING, SIZE, VALID);
        send(first.missing().getFirst());
        uploads.abort(INCOMING, first.id());
        uploads.abort(INCOMING, first.id());

        assertThat(uploads.complete(INCOMING, first.id(), SIZE)).isEmpty();
        Upload anew = uploads.begin(INCOMING, SIZE, VALID);
        assertThat(anew.id()).isNotEqualTo(first.id());
        assertThat(anew.missing()).hasSize(3);
    }

    @Test
    void doesNotConfuseAKeyWithItsPrefix() {
        Upload longer = uploads.begin(ObjectKey.of("incoming/abc-12"), SIZE, VALID);
        Upload shorter = uploads.begin(INCOMING, SIZE, VALID);

        assertThat(shorter.id()).isNotEqualTo(longer.id());
    }

    @Test
    void promotesByOneCopyOrInParts() throws IOException {
        for (long size : new long[] {1, PartPlan.MIN_PART, SIZE}) {
            ObjectKey from = ObjectKey.of("incoming/" + size);
            ObjectKey to = ObjectKey.of("models/" + size);
            String etag = store.write(from, Contents.filled((byte) 7, size));

            assertThat(uploads.promote(from, "\"another\"", to)).isEmpty();
            assertThat(store.stat(to)).isEmpty();
            String copy = uploads.promote(from, etag, to).orElseThrow();

            var there = store.stat(to).orElseThrow();
            assertThat(there.etag()).isEqualTo(copy);
            assertThat(there.size()).isEqualTo(size);
            assertThat(uploads.promote(from, etag, to)).contains(copy);
        }
        assertThat(uploads.promote(INCOMING, "\"x\"", MODEL)).isEmpty();
        assertThat(new MultipartUploads(bucket).uploads("")).isEmpty();
    }

    private int send(Part part) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(part.url());
        part.headers().forEach(request::header);
        request.PUT(HttpRequest.BodyPublishers.fromPublisher(
                HttpRequest.BodyPublishers.ofInputStream(() -> slice(part)), part.size()));
        return http.send(request.build(), HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }

    private static InputStream slice(Part part) {
        return new ByteArrayInputStream(bytes(part.offset(), part.size()));
    }

    private static byte[] bytes(long offset, long size) {
        byte[] bytes = new byte[(int) size];
        for (int i = 0; i < size; i++) {
            bytes[i] = (byte) ((offset + i) * 31 >> 3);
        }
        return bytes;
    }

    private void assertHolds(ObjectKey key) throws IOException {
        try (InputStream in = store.open(key, ByteRange.ALL).orElseThrow()) {
            assertThat(in.readAllBytes()).isEqualTo(bytes(0, SIZE));
        }
    }
}
