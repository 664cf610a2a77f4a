package io.knabla.storage.s3.check;

import io.knabla.storage.Checkup.Answer;
import io.knabla.storage.s3.client.S3Bucket;
import io.knabla.storage.s3.faults.S3CredentialSource;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URL;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;

/** Checks the connection from this machine to the bucket: settings, credentials, network, bucket, clock. */
final class S3ConnectivityCheck {
    private static final int CONNECT_TIMEOUT_MS = 3000;

    /** Clock skew from which on S3 refuses requests: Amazon S3 API reference, RequestTimeTooSkewed. */
    private static final Duration REFUSED = Duration.ofMinutes(15);

    private static final Duration HARMLESS = Duration.ofSeconds(30);

    private final S3Bucket bucket;
    private Duration skew;

    S3ConnectivityCheck(S3Bucket bucket) {
        this.bucket = bucket;
    }

    Answer settings() {
        try {
            var client = bucket.client().serviceClientConfiguration();
            return Answer.good("%s, region %s".formatted(bucket.location(), client.region()));
        } catch (SdkException | IllegalArgumentException missing) {
            return Answer.bad(
                    missing.getMessage(),
                    "set AWS_REGION (or a profile's region), and KNABLA_S3_ENDPOINT for a server that is not Amazon's");
        }
    }

    Answer credentials() {
        var provider = bucket.client().serviceClientConfiguration().credentialsProvider();
        try {
            var identity = provider.resolveIdentity().join();
            String id = identity.accessKeyId();
            String hint = id.length() <= 4 ? id : "…" + id.substring(id.length() - 4);
            return Answer.good("key %s from %s".formatted(hint, S3CredentialSource.describe(identity.providerName())));
        } catch (RuntimeException none) {
            Throwable why = none.getCause() == null ? none : none.getCause();
            return Answer.bad(
                    S3CredentialSource.describeMissing(String.valueOf(why.getMessage())),
                    "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE; on EKS give the service account a role (IRSA or pod identity), on EC2 the instance");
        }
    }

    /** Checks DNS and the TCP port; the first request checks TLS. */
    Answer endpoint() throws IOException {
        URL url = bucket.client()
                .utilities()
                .getUrl(at -> at.bucket(bucket.name()).key(bucket.location().prefix() + "x"));
        int port = url.getPort() < 0 ? url.getDefaultPort() : url.getPort();
        long began = System.nanoTime();
        InetAddress address = InetAddress.getByName(url.getHost());
        try (var socket = new Socket()) {
            socket.connect(new InetSocketAddress(address, port), CONNECT_TIMEOUT_MS);
        }
        String found = "%s://%s:%d at %s in %d ms"
                .formatted(
                        url.getProtocol(),
                        url.getHost(),
                        port,
                        address.getHostAddress(),
                        (System.nanoTime() - began) / 1_000_000);
        return url.getProtocol().equals("https") || address.isLoopbackAddress()
                ? Answer.good(found)
                : Answer.poor(found, "without TLS anybody on the network can read the models; use an https endpoint");
    }

    /** Uses a listing, not a HEAD of the bucket: the minimal policy allows only listings of the prefix. */
    Answer bucket() {
        Instant before = Instant.now();
        ListObjectsV2Response listed = bucket.client()
                .listObjectsV2(list -> list.bucket(bucket.name())
                        .prefix(bucket.location().prefix() + "doctor/")
                        .maxKeys(1));
        Instant after = Instant.now();
        skew = header(listed, "Date")
                .map(text -> ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME))
                .map(date -> clockSkew(before, date.toInstant(), after))
                .orElse(null);
        String region =
                header(listed, "x-amz-bucket-region").map(name -> " in " + name).orElse("");
        String server =
                header(listed, "Server").map(name -> ", served by " + name).orElse("");
        return Answer.good(bucket.name() + region + server);
    }

    private static Optional<String> header(ListObjectsV2Response answer, String name) {
        return answer.sdkHttpResponse().firstMatchingHeader(name);
    }

    /** Returns the clock skew; zero if the time of the server lies within the duration of the request. */
    static Duration clockSkew(Instant before, Instant read, Instant after) {
        if (read.isBefore(before)) {
            return Duration.between(before, read);
        }
        return read.isAfter(after) ? Duration.between(after, read) : Duration.ZERO;
    }

    Answer clock() {
        return skew == null ? Answer.good("the server sends no Date header") : gradeSkew(skew);
    }

    /** Ignores one second of skew, because the {@code Date} header has whole seconds. */
    static Answer gradeSkew(Duration skew) {
        Duration off = skew.abs();
        String found = off.toSeconds() <= 1
                ? "agrees with the server's"
                : "%d s %s the server's".formatted(off.toSeconds(), skew.isNegative() ? "ahead of" : "behind");
        if (off.compareTo(REFUSED) >= 0) {
            return Answer.bad(found, "S3 refuses requests 15 minutes off; synchronise this clock");
        }
        return off.compareTo(HARMLESS) <= 0
                ? Answer.good(found)
                : Answer.poor(
                        found, "expiry times (garbage collection, presigned URLs) go wrong; synchronise this clock");
    }
}
