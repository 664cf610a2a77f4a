package io.knabla.storage.s3.direct;

import static java.lang.System.Logger.Level.DEBUG;

import io.knabla.storage.ObjectKey;
import io.knabla.storage.s3.client.AccessKeys;
import io.knabla.storage.s3.client.S3Settings;
import io.knabla.storage.s3.faults.S3Location;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads objects from S3 without the AWS SDK, by one attempt each. Whatever it cannot do (other settings, an absent
 * object, an error) is left to the SDK's client, which retries and explains: after the first failure this reader
 * returns nothing more.
 */
public final class DirectReader {
    /** Settings that the SDK follows and this reader does not know. */
    private static final List<String> UNKNOWN = List.of(
            "HTTP_PROXY",
            "HTTPS_PROXY",
            "http_proxy",
            "https_proxy",
            "AWS_USE_FIPS_ENDPOINT",
            "AWS_USE_DUALSTACK_ENDPOINT");

    private static final int OK = 200;
    private static final int PARTIAL = 206;

    private final URI bucket;
    private final S3Location location;
    private final String region;
    private final KeySource source;
    private final Connections connections;
    private final InstantSource clock;
    private RequestSigner signer;
    private volatile boolean failed;

    private DirectReader(
            URI bucket,
            S3Location location,
            String region,
            KeySource source,
            Connections connections,
            InstantSource clock) {
        this.bucket = bucket;
        this.location = location;
        this.region = region;
        this.source = source;
        this.connections = connections;
        this.clock = clock;
    }

    /** Returns empty if the settings need the SDK. */
    public static Optional<DirectReader> of(
            S3Location location, S3Settings settings, Map<String, String> environment, InstantSource clock) {
        if (settings.region().isEmpty() || UNKNOWN.stream().anyMatch(environment::containsKey)) {
            return Optional.empty();
        }
        String region = settings.region().get();
        return KeySource.of(settings.identity(), region, environment)
                .map(source -> new DirectReader(
                        bucket(location.bucket(), settings, region),
                        location,
                        region,
                        source,
                        new Connections(settings),
                        clock));
    }

    private static URI bucket(String name, S3Settings settings, String region) {
        URI endpoint = settings.endpoint().orElseGet(() -> URI.create("https://s3." + region + "." + domain(region)));
        String path = endpoint.getRawPath().endsWith("/") ? endpoint.getRawPath() : endpoint.getRawPath() + "/";
        String start = endpoint.getScheme() + "://";
        return URI.create(
                settings.pathStyle()
                        ? start + endpoint.getRawAuthority() + path + name + "/"
                        : start + name + "." + endpoint.getRawAuthority() + path);
    }

    /** Domain of the services of a region. */
    static String domain(String region) {
        return region.startsWith("cn-") ? "amazonaws.com.cn" : "amazonaws.com";
    }

    /**
     * Opens a stream over the object's bytes.
     *
     * @param range value of the Range header; null for the whole object
     * @return empty if the SDK's client should try
     */
    public Optional<InputStream> open(ObjectKey key, String range) {
        if (failed) {
            return Optional.empty();
        }
        try {
            return Optional.of(get(bucket.resolve(location.name(key)), range));
        } catch (IOException | RuntimeException reason) {
            failed = true;
            System.getLogger(DirectReader.class.getName())
                    .log(DEBUG, "cannot read ''{0}'' directly, the SDK''s client tries: {1}", key, reason);
            return Optional.empty();
        }
    }

    private InputStream get(URI object, String range) throws IOException {
        HttpURLConnection call = connections.open(object);
        signer().headers(object, range, clock.instant()).forEach((name, value) -> {
            // The client sets it itself, from the address.
            if (!name.equals("host")) {
                call.setRequestProperty(name, value);
            }
        });
        int status = call.getResponseCode();
        if (status != (range == null ? OK : PARTIAL) || call.getContentLengthLong() < 0) {
            throw new IOException("the answer has the status " + status);
        }
        return call.getInputStream();
    }

    private synchronized RequestSigner signer() throws IOException {
        if (signer == null) {
            AccessKeys keys = source.read(connections);
            signer = new RequestSigner(keys, region);
        }
        return signer;
    }
}
