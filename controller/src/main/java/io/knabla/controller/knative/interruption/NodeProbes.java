package io.knabla.controller.knative.interruption;

import io.fabric8.kubernetes.api.model.Pod;
import io.knabla.controller.knative.usage.ReplicaScraper;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Asks nodes whether they live: opens TCP connections to the replicas on them. */
final class NodeProbes {
    private static final Duration TIMEOUT = Duration.ofMillis(600);

    /** Of one node; one that answers is enough. */
    private static final int PODS = 2;

    /** Returns whether each node with a ready pod answered; takes at most the time of one connection attempt. */
    Map<String, Boolean> round(Collection<Pod> ready) {
        Map<String, List<Pod>> byNode = new HashMap<>();
        ready.forEach(pod -> byNode.merge(pod.getSpec().getNodeName(), List.of(pod), NodeProbes::joined));
        Map<String, Boolean> answers = new ConcurrentHashMap<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            byNode.forEach((node, pods) -> pods.forEach(pod -> threads.execute(
                    () -> answers.merge(node, answers(ReplicaScraper.address(pod)), Boolean::logicalOr))));
        }
        return Map.copyOf(answers);
    }

    private static List<Pod> joined(List<Pod> some, List<Pod> more) {
        return some.size() < PODS ? List.of(some.getFirst(), more.getFirst()) : some;
    }

    private static boolean answers(URI address) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(address.getHost(), address.getPort()), (int) TIMEOUT.toMillis());
            return true;
        } catch (ConnectException refused) {
            // The node's kernel said so.
            return true;
        } catch (IOException silent) {
            return false;
        }
    }
}
