package io.knabla.controller.cost.aws;

import io.knabla.controller.cost.pricelist.PriceSource;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import javax.xml.stream.XMLStreamException;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.awscore.client.builder.AwsClientBuilder;
import software.amazon.awssdk.awscore.client.builder.AwsSyncClientBuilder;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.apache.ApacheHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.retries.api.BackoffStrategy;
import software.amazon.awssdk.services.ec2.Ec2Client;
import software.amazon.awssdk.services.pricing.PricingClient;
import software.amazon.awssdk.services.savingsplans.SavingsplansClient;

/**
 * Reads prices from the APIs of AWS, with the SDK's chain of credentials. Needs {@code pricing:GetProducts},
 * {@code ec2:DescribeSpotPriceHistory}, {@code ec2:DescribeAvailabilityZones} and
 * {@code savingsplans:DescribeSavingsPlansOfferingRates}, which cost nothing.
 */
public final class AwsPrices implements AutoCloseable {
    /** One of the three regions that answer for all. */
    private static final Region PRICE_LIST = Region.US_EAST_1;

    private static final Duration ATTEMPT = Duration.ofSeconds(30);
    private static final Duration CALL = Duration.ofMinutes(5);
    private static final Duration CONNECT = Duration.ofSeconds(5);
    private static final int ATTEMPTS = 8;

    private final Optional<URI> endpoint;
    private final AwsCredentialsProvider credentials;
    private final Duration pause;
    private final SdkHttpClient http;
    private final PricingClient priceList;
    private final SavingsplansClient savingsPlans;

    public AwsPrices() {
        this(Optional.empty(), DefaultCredentialsProvider.builder().build(), Duration.ofSeconds(1));
    }

    /**
     * @param endpoint of all APIs; empty for those of AWS
     * @param pause bound of the first, random delay before a retry; doubles with every retry, up to 20 times as long
     */
    AwsPrices(Optional<URI> endpoint, AwsCredentialsProvider credentials, Duration pause) {
        this.endpoint = endpoint;
        this.credentials = credentials;
        this.pause = pause;
        this.http = ApacheHttpClient.builder()
                .connectionTimeout(CONNECT)
                .socketTimeout(ATTEMPT)
                .build();
        this.priceList = build(PricingClient.builder(), PRICE_LIST);
        this.savingsPlans = build(SavingsplansClient.builder(), Region.AWS_GLOBAL);
    }

    private <C, B extends AwsClientBuilder<B, C> & AwsSyncClientBuilder<B, C>> C build(B builder, Region region) {
        endpoint.ifPresent(builder::endpointOverride);
        return builder.region(region)
                .credentialsProvider(credentials)
                .httpClient(http)
                .overrideConfiguration(all -> all.apiCallAttemptTimeout(ATTEMPT)
                        .apiCallTimeout(CALL)
                        .retryStrategy(AwsRetryStrategy.standardRetryStrategy().toBuilder()
                                .maxAttempts(ATTEMPTS)
                                .backoffStrategy(delays())
                                .throttlingBackoffStrategy(delays())
                                .retryOnException(AwsPrices::isCutOff)
                                .build()))
                .build();
    }

    /** Of an answer in XML the SDK does not retry it. */
    private static boolean isCutOff(Throwable fault) {
        return Stream.iterate(fault, Objects::nonNull, Throwable::getCause)
                .anyMatch(cause -> cause instanceof IOException || cause instanceof XMLStreamException);
    }

    private BackoffStrategy delays() {
        return BackoffStrategy.exponentialDelay(pause, pause.multipliedBy(20));
    }

    /** In the order in which they are best asked: list prices first. */
    public List<PriceSource> sources(AwsScope scope) {
        return scope.instanceTypes().entrySet().stream()
                .<PriceSource>flatMap(region -> sources(region.getKey(), List.copyOf(region.getValue())))
                .toList();
    }

    private Stream<PriceSource> sources(String region, List<String> types) {
        Stream<PriceSource> services =
                Stream.of(ListPrices.lambda(priceList, region), ListPrices.fargate(priceList, region));
        return types.isEmpty()
                ? services
                : Stream.concat(
                        services,
                        Stream.of(
                                ListPrices.instances(priceList, region, types),
                                new SavingsPlanRates(savingsPlans, region, types),
                                new SpotHistory(() -> build(Ec2Client.builder(), Region.of(region)), region, types)));
    }

    @Override
    public void close() {
        priceList.close();
        savingsPlans.close();
        http.close();
    }
}
