package io.knabla.controller.spot.aws;

import io.knabla.controller.spot.signal.CapacitySignal;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.http.apache.ApacheHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.SqsClientBuilder;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;

/**
 * An SQS queue that EventBridge fills with events of instances. Messages are deleted once their signals were handed
 * over; one that is no event stays, so that the queue's redrive policy parks it. Needs {@code sqs:ReceiveMessage} and
 * {@code sqs:DeleteMessage} on the queue.
 */
public final class SignalQueue implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(SignalQueue.class.getName());
    private static final Pattern AWS_HOST = Pattern.compile("sqs\\.([a-z0-9-]+)\\.amazonaws\\.com(\\.cn)?");
    private static final int MESSAGES = 10;

    /** The longest that SQS allows, for few calls. */
    private static final Duration WAIT = Duration.ofSeconds(20);

    private final String url;
    private final Duration wait;
    private final Consumer<CapacitySignal> target;
    private final SqsClient sqs;

    /**
     * @param url of the queue
     * @param target takes the signals of all instances of the account, by their ids; may get one twice, late, or out of
     *     order
     */
    public SignalQueue(String url, Consumer<CapacitySignal> target) {
        this(url, WAIT, target, DefaultCredentialsProvider.builder().build());
    }

    /**
     * @param wait whole seconds for which a call waits for messages, and for which they are then hidden from the next
     */
    SignalQueue(String url, Duration wait, Consumer<CapacitySignal> target, AwsCredentialsProvider credentials) {
        this.url = url;
        this.wait = wait;
        this.target = target;
        this.sqs =
                client(URI.create(url), wait).credentialsProvider(credentials).build();
    }

    private static SqsClientBuilder client(URI queue, Duration wait) {
        SqsClientBuilder builder =
                SqsClient.builder().httpClientBuilder(ApacheHttpClient.builder().socketTimeout(wait.plusSeconds(10)));
        Matcher host = AWS_HOST.matcher(String.valueOf(queue.getHost()));
        return host.matches()
                ? builder.region(Region.of(host.group(1)))
                : builder.region(Region.US_EAST_1).endpointOverride(queue.resolve("/"));
    }

    /**
     * Waits 20 s at most for messages and hands over their signals; returns how many messages there were.
     *
     * @throws software.amazon.awssdk.core.exception.SdkException if the queue does not answer
     */
    public int receive() {
        List<Message> messages = sqs.receiveMessage(request -> request.queueUrl(url)
                        .maxNumberOfMessages(MESSAGES)
                        .waitTimeSeconds((int) wait.toSeconds())
                        .visibilityTimeout((int) wait.toSeconds())
                        .messageSystemAttributeNames(MessageSystemAttributeName.APPROXIMATE_RECEIVE_COUNT))
                .messages();
        List<DeleteMessageBatchRequestEntry> done = new ArrayList<>();
        for (Message message : messages) {
            switch (InstanceEvents.parse(message.body())) {
                case InstanceEvents.Parsed.Understood(List<CapacitySignal> signals) -> {
                    signals.forEach(target);
                    done.add(entry(message, done.size()));
                }
                case InstanceEvents.Parsed.Malformed(String why) -> report(message, why);
            }
        }
        if (!done.isEmpty()) {
            sqs.deleteMessageBatch(request -> request.queueUrl(url).entries(done));
        }
        return messages.size();
    }

    private static DeleteMessageBatchRequestEntry entry(Message message, int number) {
        return DeleteMessageBatchRequestEntry.builder()
                .id(Integer.toString(number))
                .receiptHandle(message.receiptHandle())
                .build();
    }

    private static void report(Message message, String why) {
        String times = message.attributes().get(MessageSystemAttributeName.APPROXIMATE_RECEIVE_COUNT);
        if ("1".equals(times)) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "message {0} is no event of an instance and stays in the queue: {1}",
                    message.messageId(),
                    why);
        }
    }

    @Override
    public void close() {
        sqs.close();
    }
}
