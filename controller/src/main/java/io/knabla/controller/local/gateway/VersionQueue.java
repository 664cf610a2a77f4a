package io.knabla.controller.local.gateway;

import io.knabla.controller.catalog.Version;
import io.knabla.controller.platform.Cluster;
import io.knabla.controller.platform.Replica;
import io.knabla.controller.platform.ReplicaCapacity;
import io.knabla.controller.platform.VersionKey;
import io.knabla.controller.scale.Autoscaler;
import io.knabla.controller.scale.Unavailable;
import io.knabla.controller.scale.VersionLoad;
import io.knabla.runtime.paths.ModelAction;
import java.net.InetAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Queues one version's requests and assigns each to the least loaded replica with a free slot. Requests wait here and
 * not in a replica, unless it answers fast ({@link SlotOvercommit}): the first replica that is free takes the next one.
 * Thread-safe; calls no listener while it holds its lock.
 */
final class VersionQueue {
    final VersionKey key;
    final Version version;
    final VersionLoad load;
    final VersionMeters meters;
    final long timeoutMillis;

    /** Longest silence within a streamed response. */
    final long stallMillis;

    final String versionHeader;

    /** Header lines of responses, by the start that the request waited for. */
    private final String coldHeaders;

    private final String pooledHeaders;

    final String warmHeaders;

    /** Bytes of bodies that are held to be sent again if a replica dies. */
    final AtomicLong keptBytes = new AtomicLong();

    /** The model's name in the Open Inference Protocol. */
    final String servedName;

    final String inferPath;
    final String loadPath;
    final String predictPath;

    /** Whether a request may be sent to a second replica; a training step changes weights, so it must not run twice. */
    final boolean repeatable;

    private final Autoscaler autoscaler;
    private final int capacity;
    private final int maxQueued;
    private final List<Endpoint> endpoints = new ArrayList<>();
    private final ArrayDeque<QueueEntry> queue = new ArrayDeque<>();
    private boolean evaluationRequested;

    /** Why every request is rejected; null while the version exists. */
    private Unavailable gone;

    private record QueueEntry(QueuedRequest request, Endpoint avoid, boolean forStart) {}

    private record Grant(QueueEntry entry, Endpoint endpoint) {
        void notifyRequest() {
            entry.request().granted(endpoint, entry.forStart());
        }
    }

    VersionQueue(
            VersionKey key,
            Version version,
            VersionLoad load,
            Autoscaler autoscaler,
            VersionMeters meters,
            int maxQueued) {
        this.key = key;
        this.version = version;
        this.load = load;
        this.autoscaler = autoscaler;
        this.meters = meters;
        this.maxQueued = maxQueued;
        capacity = ReplicaCapacity.of(version.spec());
        repeatable = version.spec().isRepeatable();
        timeoutMillis = version.spec().timeout().toMillis();
        stallMillis = version.spec().streamIdleTimeout().toMillis();
        versionHeader = Integer.toString(version.number());
        String start = Headers.VERSION + ": " + versionHeader + "\r\n" + Headers.START + ": ";
        warmHeaders = start + "warm\r\n";
        coldHeaders = start + "cold\r\n";
        pooledHeaders = start + "pooled\r\n";
        servedName = version.spec()
                .modelInterface()
                .servedName()
                .orElse(key.function().name());
        inferPath = ModelAction.INFER.path(servedName);
        predictPath = ModelAction.PREDICT.path(servedName);
        loadPath = ModelAction.LOAD.path(servedName);
    }

    /** Header lines of the response to a request that waited for this start. */
    String startHeaders(Replica.Start start) {
        return switch (start) {
            case COLD -> coldHeaders;
            case POOLED -> pooledHeaders;
        };
    }

    /** The same while the request waits: for a start, unless there are replicas, which are busy. */
    synchronized String waitHeaders() {
        return endpoints.isEmpty() ? coldHeaders : warmHeaders;
    }

    /** Result of a request for a replica. */
    sealed interface Admission {
        record Granted(Endpoint endpoint) implements Admission {}

        /** The request is queued; its {@link QueuedRequest} receives the outcome. */
        record Waiting() implements Admission {}

        record Full(int waiting) implements Admission {}

        record Rejected(Unavailable trouble) implements Admission {}
    }

    private static final Admission WAITING = new Admission.Waiting();

    /** @param avoid a replica that just failed this request; used only if there is no other */
    Admission admit(QueuedRequest waiter, Endpoint avoid) {
        boolean evaluate;
        synchronized (this) {
            if (gone != null) {
                return new Admission.Rejected(gone);
            }
            Endpoint free = pick(waiter, avoid);
            if (free != null) {
                free.inFlight++;
                return new Admission.Granted(free);
            }
            if (queue.size() >= maxQueued || holdsItsShare(waiter.client())) {
                return new Admission.Full(queue.size());
            }
            boolean forStart = nothingReady();
            Optional<Unavailable> trouble = forStart ? autoscaler.unavailable(key) : Optional.empty();
            if (trouble.isPresent()) {
                return new Admission.Rejected(trouble.get());
            }
            queue.add(new QueueEntry(waiter, avoid, forStart));
            evaluate = forStart && !evaluationRequested;
            evaluationRequested |= evaluate;
        }
        if (evaluate) {
            autoscaler.evaluateNow(key);
        }
        return WAITING;
    }

    /**
     * Whether half of the queue is this client's. Clients on this machine share one address, so there all of it is
     * theirs.
     */
    private boolean holdsItsShare(InetAddress client) {
        int share = maxQueued / 2;
        return queue.size() >= share
                && !client.isLoopbackAddress()
                && queue.stream()
                                .filter(entry -> entry.request().client().equals(client))
                                .count()
                        >= share;
    }

    /** Whether the request was still queued; if not, a replica has been granted to it already. */
    synchronized boolean leave(QueuedRequest waiter) {
        return queue.removeIf(entry -> entry.request() == waiter);
    }

    /**
     * Frees the request's slot; the next queued request takes it, if the replica seems healthy.
     *
     * @param nanos since the request was sent
     */
    void release(Endpoint endpoint, SendOutcome outcome, long nanos) {
        boolean firstAnswer;
        List<Grant> grants;
        synchronized (this) {
            endpoint.inFlight--;
            firstAnswer = outcome == SendOutcome.ANSWERED && !endpoint.answered;
            switch (outcome) {
                case ANSWERED -> {
                    endpoint.answered = true;
                    endpoint.overcommit.answered(nanos);
                }
                case UNANSWERED -> {}
                // Until the probe: otherwise the next request would take the slot and time out too.
                case TIMED_OUT -> endpoint.unresponsive = true;
                case REFUSED -> endpoint.dead = true;
            }
            grants = grants();
        }
        if (firstAnswer) {
            load.replicaAnswered(endpoint.replica.id());
        }
        grants.forEach(Grant::notifyRequest);
        switch (outcome) {
            case ANSWERED, UNANSWERED -> {}
            case TIMED_OUT, REFUSED -> autoscaler.suspect(endpoint.replica.id());
        }
    }

    /** Whether the endpoint's node was taken back, or is about to be. */
    boolean isTakenBack(Endpoint endpoint) {
        return autoscaler.isTakenBack(endpoint.replica.node());
    }

    /** Counts a request that is sent to another replica after this one. */
    void retried(Endpoint failed) {
        meters.retried();
        autoscaler.retried(failed.replica.id());
    }

    /** Adds the replicas that run already; later changes arrive one by one through {@link #changed}. */
    void addRunning(Cluster cluster) {
        List<Grant> grants;
        synchronized (this) {
            cluster.replicas().stream().filter(this::owns).forEach(this::apply);
            grants = grants();
        }
        grants.forEach(Grant::notifyRequest);
    }

    void changed(Replica replica) {
        if (!owns(replica)) {
            return;
        }
        List<Grant> grants;
        synchronized (this) {
            if (gone != null) {
                return;
            }
            apply(replica);
            grants = grants();
        }
        grants.forEach(Grant::notifyRequest);
    }

    /** Rejects all queued requests, unless a replica is ready. */
    void fail(Unavailable trouble) {
        List<QueueEntry> hopeless;
        synchronized (this) {
            if (!nothingReady()) {
                return;
            }
            hopeless = takeQueue();
            evaluationRequested = false;
        }
        hopeless.forEach(entry -> entry.request().refused(trouble));
    }

    /** For a deleted version: rejects all queued and all future requests, even those that wait for a busy replica. */
    void close(Unavailable trouble) {
        List<QueueEntry> hopeless;
        synchronized (this) {
            gone = trouble;
            closeConnections();
            endpoints.clear();
            hopeless = takeQueue();
        }
        hopeless.forEach(entry -> entry.request().refused(trouble));
    }

    private List<QueueEntry> takeQueue() {
        List<QueueEntry> all = List.copyOf(queue);
        queue.clear();
        return all;
    }

    /** Why a request that waits in vain has no replica; empty if the reason is not known. */
    Optional<String> whyWaiting() {
        return autoscaler.unplaced(key).map(Unavailable::message);
    }

    synchronized List<Endpoint> endpoints() {
        return List.copyOf(endpoints);
    }

    synchronized void closeConnections() {
        endpoints.forEach(endpoint -> endpoint.connections.close());
    }

    int inFlight(String replica) {
        synchronized (this) {
            return endpoints.stream()
                    .filter(endpoint -> endpoint.replica.id().equals(replica))
                    .mapToInt(endpoint -> endpoint.inFlight)
                    .sum();
        }
    }

    private boolean owns(Replica replica) {
        return replica.isOf(key.function(), version);
    }

    /** An unresponsive replica keeps its endpoint, because its requests in flight may still end. */
    private void apply(Replica replica) {
        Optional<Endpoint> known = endpoints.stream()
                .filter(one -> one.replica.id().equals(replica.id()))
                .findFirst();
        switch (replica.state()) {
            case READY -> {
                evaluationRequested = false;
                known.ifPresentOrElse(Endpoint::answersAgain, () -> endpoints.add(new Endpoint(replica)));
            }
            case UNRESPONSIVE -> known.ifPresent(endpoint -> endpoint.unresponsive = true);
            case STARTING, DRAINING -> known.ifPresent(this::remove);
            case STOPPED, FAILED -> {
                // The start that was requested may have come to nothing.
                evaluationRequested = false;
                known.ifPresent(this::remove);
            }
        }
    }

    private void remove(Endpoint endpoint) {
        endpoints.remove(endpoint);
        endpoint.remove();
    }

    private boolean nothingReady() {
        for (Endpoint endpoint : endpoints) {
            if (!endpoint.dead) {
                return false;
            }
        }
        return true;
    }

    /** Assigns free replicas to the oldest queued requests, as long as there are both. */
    private List<Grant> grants() {
        List<Grant> grants = new ArrayList<>();
        for (Grant next = next(); next != null; next = next()) {
            grants.add(next);
        }
        return grants;
    }

    /** Assigns a free replica to the oldest queued request, if there are both. */
    private Grant next() {
        QueueEntry first = queue.peek();
        if (first == null) {
            return null;
        }
        Endpoint free = pick(first.request(), first.avoid());
        if (free == null) {
            return null;
        }
        queue.poll();
        free.inFlight++;
        return new Grant(first, free);
    }

    private int limit(Endpoint endpoint, QueuedRequest request) {
        return repeatable && request.isSmall() ? capacity + endpoint.overcommit.requests() : capacity;
    }

    /** Least loaded replica with a free slot, or null; there are few replicas, so a linear scan is cheapest. */
    private Endpoint pick(QueuedRequest request, Endpoint avoid) {
        Endpoint best = null;
        for (Endpoint endpoint : endpoints) {
            if (endpoint.dead || endpoint.unresponsive || endpoint.inFlight >= limit(endpoint, request)) {
                continue;
            }
            boolean better = best == null || best == avoid || endpoint.inFlight < best.inFlight;
            if (better && (endpoint != avoid || best == null)) {
                best = endpoint;
            }
        }
        return best;
    }
}
