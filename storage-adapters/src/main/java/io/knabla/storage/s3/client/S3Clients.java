package io.knabla.storage.s3.client;

import io.knabla.storage.s3.faults.S3Faults;
import java.time.Duration;
import java.util.Set;
import java.util.function.Predicate;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.client.config.ClientOverrideConfiguration;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.apache.ApacheHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.retries.api.BackoffStrategy;
import software.amazon.awssdk.retries.api.RetryStrategy;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;

/** Creates SDK clients that also work with servers other than AWS, with timeouts, retries and rate limiting. */
final class S3Clients {
    /** Enough for many concurrent streams plus the writes and queries of a controller. */
    private static final int CONNECTIONS = 128;

    /** The IP addresses of S3 change; new connections follow them. */
    private static final Duration CONNECTION_LIFE = Duration.ofMinutes(5);

    /** Below the limits of servers and load balancers, so the client closes first. */
    private static final Duration IDLE = Duration.ofSeconds(10);

    /** Upper bound of the first, random retry delay; doubles with every retry. */
    private static final Duration PAUSE = Duration.ofMillis(50);

    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(20);

    /** Error codes for a body damaged in transit; a retry may succeed. */
    private static final Set<String> DAMAGED =
            Set.of("BadDigest", "IncompleteBody", "XAmzContentSHA256Mismatch", "XAmzContentChecksumMismatch");

    /**
     * Removes {@code Expect: 100-continue}: saves a round trip, and a server that rejects a request before it has read
     * the body often closes a connection that the pool would still reuse.
     */
    private static final ExecutionInterceptor NO_EXPECT_CONTINUE = new ExecutionInterceptor() {
        @Override
        public SdkHttpRequest modifyHttpRequest(Context.ModifyHttpRequest context, ExecutionAttributes attributes) {
            return context.httpRequest().copy(request -> request.removeHeader("Expect"));
        }
    };

    private S3Clients() {}

    static S3Client make(S3Settings settings) {
        S3ClientBuilder builder = S3Client.builder()
                .httpClientBuilder(http(settings))
                .overrideConfiguration(all -> configure(all, settings))
                // Few servers other than AWS accept a body that is signed in chunks.
                .serviceConfiguration(s3 -> s3.chunkedEncodingEnabled(false))
                .forcePathStyle(settings.pathStyle())
                .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
                .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
                .putAuthScheme(new UnsignedPayloadAuthScheme());
        settings.endpoint().ifPresent(builder::endpointOverride);
        settings.region().map(Region::of).ifPresent(builder::region);
        settings.identity()
                .keys()
                .map(S3Clients::credentials)
                .map(StaticCredentialsProvider::create)
                .ifPresent(builder::credentialsProvider);
        return builder.build();
    }

    private static AwsCredentials credentials(AccessKeys keys) {
        return keys.sessionToken()
                .<AwsCredentials>map(token -> AwsSessionCredentials.create(keys.id(), keys.secret(), token))
                .orElseGet(() -> AwsBasicCredentials.create(keys.id(), keys.secret()));
    }

    private static void configure(ClientOverrideConfiguration.Builder all, S3Settings settings) {
        Timeouts timeouts = settings.timeouts();
        all.addExecutionInterceptor(NO_EXPECT_CONTINUE)
                .addExecutionInterceptor(new TruncatedResponseGuard())
                .addExecutionInterceptor(new ThrottlingInterceptor())
                .retryStrategy(retries(timeouts))
                .apiCallAttemptTimeout(timeouts.request())
                .apiCallTimeout(timeouts.call());
        settings.identity().profile().ifPresent(all::defaultProfileName);
    }

    private static ApacheHttpClient.Builder http(S3Settings settings) {
        ApacheHttpClient.Builder http = ApacheHttpClient.builder()
                .maxConnections(CONNECTIONS)
                .connectionTimeToLive(CONNECTION_LIFE)
                .connectionMaxIdleTime(IDLE)
                .tcpKeepAlive(true)
                .connectionTimeout(settings.timeouts().connect())
                .connectionAcquisitionTimeout(settings.timeouts().request())
                .socketTimeout(settings.timeouts().request())
                .expectContinueEnabled(false);
        settings.ca().ifPresent(pem -> http.tlsTrustManagersProvider(() -> TrustManagers.with(pem)));
        return http;
    }

    /** Exponential backoff with jitter, and a retry budget shared by all calls of a client. */
    private static RetryStrategy retries(Timeouts timeouts) {
        Predicate<Throwable> damaged =
                fault -> fault instanceof AwsServiceException answer && DAMAGED.contains(S3Faults.code(answer));
        return AwsRetryStrategy.standardRetryStrategy().toBuilder()
                .maxAttempts(timeouts.attempts())
                .backoffStrategy(BackoffStrategy.exponentialDelay(PAUSE, LONGEST_PAUSE))
                .throttlingBackoffStrategy(BackoffStrategy.exponentialDelay(PAUSE.multipliedBy(5), LONGEST_PAUSE))
                .retryOnException(damaged)
                .build();
    }
}
