package io.knabla.storage.s3.client;

import io.knabla.storage.s3.faults.S3Faults;
import java.time.Duration;
import java.util.Set;
import java.util.function.Predicate;
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

/** Makes clients of the SDK that also servers other than AWS's understand, and that do not give up at once. */
final class S3Clients {
    /** Many streams at once, and room beside them for the writes and questions of a controller. */
    private static final int CONNECTIONS = 128;

    /** S3's addresses change; a connection is made anew so that it follows them. */
    private static final Duration CONNECTION_LIFE = Duration.ofMinutes(5);

    /** Below what servers and load balancers allow, so that the client is the one to close. */
    private static final Duration IDLE = Duration.ofSeconds(10);

    /** What the first pause before another try is below, at random; the next ones double it. */
    private static final Duration PAUSE = Duration.ofMillis(50);

    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(20);

    /** Refusals that tell of a body damaged on its way: sent again, it may arrive whole. */
    private static final Set<String> DAMAGED =
            Set.of("BadDigest", "IncompleteBody", "XAmzContentSHA256Mismatch", "XAmzContentChecksumMismatch");

    /**
     * Sends a body without asking first: a round trip less, and a server that refuses a request without having read its
     * body often closes a connection that then looks fit for the next one.
     */
    private static final ExecutionInterceptor UNASKED = new ExecutionInterceptor() {
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
                // Few servers but AWS's own take a body that is signed in chunks.
                .serviceConfiguration(s3 -> s3.chunkedEncodingEnabled(false))
                .forcePathStyle(settings.pathStyle())
                .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
                .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
                .putAuthScheme(new UnsignedBodies());
        settings.endpoint().ifPresent(builder::endpointOverride);
        settings.region().map(Region::of).ifPresent(builder::region);
        settings.identity()
                .credentials()
                .map(StaticCredentialsProvider::create)
                .ifPresent(builder::credentialsProvider);
        return builder.build();
    }

    private static void configure(ClientOverrideConfiguration.Builder all, S3Settings settings) {
        Patience patience = settings.patience();
        all.addExecutionInterceptor(UNASKED)
                .addExecutionInterceptor(new CutAnswers())
                .addExecutionInterceptor(new Restraint())
                .retryStrategy(retries(patience))
                .apiCallAttemptTimeout(patience.request())
                .apiCallTimeout(patience.call());
        settings.identity().profile().ifPresent(all::defaultProfileName);
    }

    private static ApacheHttpClient.Builder http(S3Settings settings) {
        ApacheHttpClient.Builder http = ApacheHttpClient.builder()
                .maxConnections(CONNECTIONS)
                .connectionTimeToLive(CONNECTION_LIFE)
                .connectionMaxIdleTime(IDLE)
                .tcpKeepAlive(true)
                .connectionTimeout(settings.patience().connect())
                .connectionAcquisitionTimeout(settings.patience().request())
                .socketTimeout(settings.patience().request())
                .expectContinueEnabled(false);
        settings.ca().ifPresent(pem -> http.tlsTrustManagersProvider(() -> Trust.with(pem)));
        return http;
    }

    /** Pauses that grow, with jitter, and a budget of tries that all calls of a client share. */
    private static RetryStrategy retries(Patience patience) {
        Predicate<Throwable> damaged =
                fault -> fault instanceof AwsServiceException answer && DAMAGED.contains(S3Faults.code(answer));
        return AwsRetryStrategy.standardRetryStrategy().toBuilder()
                .maxAttempts(patience.attempts())
                .backoffStrategy(BackoffStrategy.exponentialDelay(PAUSE, LONGEST_PAUSE))
                .throttlingBackoffStrategy(BackoffStrategy.exponentialDelay(PAUSE.multipliedBy(5), LONGEST_PAUSE))
                .retryOnException(damaged)
                .build();
    }
}
