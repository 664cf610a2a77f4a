package io.knabla.controller.spot.aws;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.knabla.controller.spot.signal.CapacitySignal;
import io.knabla.controller.spot.signal.CapacitySignal.Kind;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.elasticmq.rest.sqs.SQSRestServer;
import org.elasticmq.rest.sqs.SQSRestServerBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.apache.ApacheHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/** Over the protocol of SQS, to a queue server in this process. */
class SignalQueueTest {
    private static final StaticCredentialsProvider CREDENTIALS =
            StaticCredentialsProvider.create(AwsBasicCredentials.create("key", "secret"));

    private static final Duration WAIT = Duration.ofSeconds(1);

    private final List<CapacitySignal> signals = new ArrayList<>();
    private SQSRestServer server;
    private SqsClient sqs;
    private String parked;
    private String url;
    private SignalQueue queue;

    @BeforeEach
    void open() {
        server = SQSRestServerBuilder.withInterface("127.0.0.1")
                .withDynamicPort()
                .start();
        int port = server.waitUntilStarted().localAddress().getPort();
        sqs = SqsClient.builder()
                .endpointOverride(URI.create("http://127.0.0.1:" + port))
                .region(Region.US_EAST_1)
                .credentialsProvider(CREDENTIALS)
                .httpClient(ApacheHttpClient.create())
                .build();
        parked = sqs.createQueue(request -> request.queueName("parked")).queueUrl();
        url = sqs.createQueue(request ->
                        request.queueName("signals").attributes(Map.of(QueueAttributeName.REDRIVE_POLICY, redrive())))
                .queueUrl();
        queue = new SignalQueue(url, WAIT, signals::add, CREDENTIALS);
    }

    private String redrive() {
        String arn = sqs.getQueueAttributes(
                        request -> request.queueUrl(parked).attributeNames(QueueAttributeName.QUEUE_ARN))
                .attributes()
                .get(QueueAttributeName.QUEUE_ARN);
        return "{\"deadLetterTargetArn\":\"%s\",\"maxReceiveCount\":\"1\"}".formatted(arn);
    }

    @AfterEach
    void close() {
        queue.close();
        sqs.close();
        server.stopAndWait();
    }

    private void send(String body) {
        sqs.sendMessage(request -> request.queueUrl(url).messageBody(body));
    }

    private int waiting(String of) {
        Map<QueueAttributeName, String> counts = sqs.getQueueAttributes(
                        request -> request.queueUrl(of).attributeNames(QueueAttributeName.ALL))
                .attributes();
        return Integer.parseInt(counts.get(QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES))
                + Integer.parseInt(counts.get(QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE));
    }

    private void receiveAll(int messages) {
        int received = 0;
        while (received < messages) {
            received += queue.receive();
        }
    }

    @Test
    void signalsAreHandedOverAndTheirMessagesDeleted() {
        for (int i = 0; i < 12; i++) {
            send(Events.read(i % 2 == 0 ? "interruption.json" : "rebalance.json"));
        }
        send(Events.read("running.json"));

        receiveAll(13);

        assertThat(signals)
                .extracting(CapacitySignal::kind)
                .hasSize(12)
                .containsOnly(Kind.REBALANCE_RECOMMENDED, Kind.INTERRUPTION_WARNING);
        assertThat(waiting(url)).isZero();
    }

    @Test
    void whatIsNoEventIsParkedAndHoldsNothingUp() {
        send("hello");
        send(Events.read("terminated.json"));

        receiveAll(2);

        assertThat(signals).extracting(CapacitySignal::kind).containsExactly(Kind.GONE);
        assertThat(waiting(url)).isEqualTo(1);
        await().atMost(Duration.ofMinutes(2)).until(() -> {
            queue.receive();
            return waiting(parked) == 1 && waiting(url) == 0;
        });
        assertThat(signals).hasSize(1);
    }
}
