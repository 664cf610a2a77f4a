package io.knabla.controller.cli.kube;

import dev.failsafe.Failsafe;
import dev.failsafe.RetryPolicy;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.LocalPortForward;
import io.fabric8.kubernetes.client.http.WebSocketHandshakeException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;

/**
 * Opens a port-forward to a pod and makes a first call through it. The API server authorises a port-forward at its
 * first connection, and that connection only breaks; this first call finds out why.
 */
final class ControllerPortForward {
    private static final byte[] CALL = "GET /q/health/live HTTP/1.0\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    /** A connection without an answer for this long was at least not refused. */
    private static final int PATIENCE_MILLIS = 10_000;

    /** Another thread records the reason after the connection is closed: on a busy machine seconds later. */
    private static final RetryPolicy<Optional<KubernetesClientException>> UNTIL_REASON_IS_RECORDED =
            RetryPolicy.<Optional<KubernetesClientException>>builder()
                    .handleResultIf(Optional::isEmpty)
                    .withDelay(Duration.ofMillis(20))
                    .withMaxDuration(Duration.ofSeconds(3))
                    .withMaxRetries(-1)
                    .build();

    private ControllerPortForward() {}

    /** Returns the local port, which is open until the client is closed. */
    static int open(KubernetesClient client, Pod pod, int port, ApiServerErrors troubles) {
        String namespace = pod.getMetadata().getNamespace();
        String what = "forward a port to the controller in %s (Role knabla-user there allows it)".formatted(namespace);
        LocalPortForward forward = troubles.call(
                what,
                () -> client.pods()
                        .inNamespace(namespace)
                        .withName(pod.getMetadata().getName())
                        .portForward(port, InetAddress.getLoopbackAddress(), 0));
        if (!isAnswered(forward.getLocalPort())) {
            Failsafe.with(UNTIL_REASON_IS_RECORDED).get(() -> refusal(forward)).ifPresent(refused -> {
                throw troubles.toFailure(what, refused);
            });
        }
        return forward.getLocalPort();
    }

    private static boolean isAnswered(int port) {
        try (var first = new Socket(InetAddress.getLoopbackAddress(), port)) {
            first.setSoTimeout(PATIENCE_MILLIS);
            first.getOutputStream().write(CALL);
            return first.getInputStream().read() >= 0;
        } catch (SocketTimeoutException late) {
            return true;
        } catch (IOException broken) {
            return false;
        }
    }

    /**
     * The refusal as an exception with a status code; a WebSocket handshake does not carry the API server's message.
     */
    private static Optional<KubernetesClientException> refusal(LocalPortForward forward) {
        return forward.getServerThrowables().stream()
                .filter(WebSocketHandshakeException.class::isInstance)
                .map(refused ->
                        ((WebSocketHandshakeException) refused).getResponse().code())
                .map(code -> new StatusBuilder()
                        .withCode(code)
                        .withMessage("the API server answers %d to verb get of pods/portforward".formatted(code))
                        .build())
                .map(KubernetesClientException::new)
                .findFirst();
    }
}
