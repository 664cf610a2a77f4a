package io.knabla.controller.spot.aws;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.knabla.controller.spot.signal.CapacitySignal;
import io.knabla.controller.spot.signal.CapacitySignal.Kind;
import java.net.URI;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.http.apache.ApacheHttpClient;
import software.amazon.awssdk.imds.Ec2MetadataClient;
import software.amazon.awssdk.imds.Ec2MetadataClientException;
import software.amazon.awssdk.imds.Ec2MetadataRetryPolicy;

/**
 * Asks the metadata service (IMDSv2) of the EC2 instance that this process runs on. AWS advises to ask every 5 s, see
 * <a href="https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/spot-instance-termination-notices.html">Spot instance
 * interruption notices</a>.
 */
public final class InstanceMetadata implements AutoCloseable {
    private static final String ACTION = "/latest/meta-data/spot/instance-action";
    private static final String REBALANCE = "/latest/meta-data/events/recommendations/rebalance";
    private static final Duration LAPSE = Duration.ofHours(1);
    private static final int NOT_FOUND = 404;
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final String node;
    private final Ec2MetadataClient metadata;

    /** @param node name that the signals carry */
    public InstanceMetadata(String node) {
        this(node, Optional.empty());
    }

    InstanceMetadata(String node, Optional<URI> endpoint) {
        this.node = node;
        Ec2MetadataClient.Builder builder = Ec2MetadataClient.builder()
                .httpClient(ApacheHttpClient.builder()
                        .connectionTimeout(Duration.ofSeconds(1))
                        .socketTimeout(Duration.ofSeconds(2)))
                .retryPolicy(Ec2MetadataRetryPolicy.none());
        endpoint.ifPresent(builder::endpoint);
        this.metadata = builder.build();
    }

    /**
     * Returns the strongest signal that there is now.
     *
     * @throws SdkClientException if there is no metadata service, or it answers otherwise than documented
     */
    public Optional<CapacitySignal> signal() {
        return get(ACTION)
                .map(action -> new CapacitySignal(node, Kind.INTERRUPTION_WARNING, time(action, "time")))
                .or(() -> get(REBALANCE)
                        .map(notice -> new CapacitySignal(
                                node,
                                Kind.REBALANCE_RECOMMENDED,
                                time(notice, "noticeTime").plus(LAPSE))));
    }

    private Optional<JsonNode> get(String path) {
        try {
            return Optional.of(JSON.readTree(metadata.get(path).asString()));
        } catch (Ec2MetadataClientException refused) {
            if (refused.statusCode() == NOT_FOUND) {
                return Optional.empty();
            }
            throw refused;
        } catch (JsonProcessingException undocumented) {
            throw SdkClientException.create(path + " answered no JSON", undocumented);
        }
    }

    private static Instant time(JsonNode answer, String field) {
        try {
            return Instant.parse(answer.path(field).asText());
        } catch (DateTimeException undocumented) {
            throw SdkClientException.create("the metadata service answered no " + field, undocumented);
        }
    }

    @Override
    public void close() {
        metadata.close();
    }
}
