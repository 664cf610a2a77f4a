package io.knabla.controller.gateway;

import io.knabla.controller.catalog.Version;
import io.knabla.controller.cluster.Cluster;
import io.knabla.controller.cluster.Replica;
import io.knabla.controller.cluster.ReplicaCapacity;
import io.knabla.controller.scale.Autoscaler;
import io.knabla.controller.scale.Trouble;
import io.knabla.controller.scale.VersionKey;
import io.knabla.controller.scale.VersionLoad;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Queues one version's requests and assigns each to the least loaded replica with a free slot. Requests wait here
 * and not in a replica: the first replica that is free takes the next one. Thread-safe; calls no listener while it
 * holds its lock.
 */
final class Lane {
    final VersionKey key;
    final Version version;
    final VersionLoad load;
    final LaneMeters meters;
    final long timeoutMillis;
    final String versionHeader;
    final String inferPath;

    private final Autoscaler autoscaler;
    private final int capacity;
    private final int mostHeld;
    private final List<Upstream> upstreams = new ArrayList<>();
    private final ArrayDeque<Held> held = new ArrayDeque<>();
    private boolean poked;

    /** Why every request is rejected; null while the version exists. */
    private Trouble gone;

    private record Held(Waiter waiter, Upstream avoid, boolean forStart) {}

    private record Grant(Held held, Upstream upstream) {
        void tell() {
            held.waiter().granted(upstream, held.forStart());
        }
    }

    Lane(VersionKey key, Version version, VersionLoad load, Autoscaler autoscaler, LaneMeters meters, int maxQueued) {
        this.key = key;
        this.version = version;
        this.load = load;
        this.autoscaler = autoscaler;
        this.meters = meters;
        this.mostHeld = maxQueued;
        capacity = ReplicaCapacity.of(version.spec());
        timeoutMillis = version.spec().timeout().toMillis();
        versionHeader = Integer.toString(version.number());
        inferPath = "/v2/models/" + key.function().name() + "/infer";
    }

    /** Result of a request for a replica. */
    sealed interface Admission {
        record Granted(Upstream upstream) implements Admission {}

        /** The request is queued; its {@link Waiter} receives the outcome. */
        record Waiting() implements Admission {}

        record Full(int waiting) implements Admission {}

        record Hopeless(Trouble trouble) implements Admission {}
    }

    private static final Admission WAITING = new Admission.Waiting();

    /** @param avoid a replica that just failed this request; used only if there is no other */
    Admission enter(Waiter waiter, Upstream avoid) {
        boolean evaluate;
        synchronized (this) {
            if (gone != null) {
                return new Admission.Hopeless(gone);
            }
            Upstream free = pick(avoid);
            if (free != null) {
                free.inFlight++;
                return new Admission.Granted(free);
            }
            if (held.size() >= mostHeld) {
                return new Admission.Full(held.size());
            }
            boolean forStart = nothingReady();
            Optional<Trouble> trouble = forStart ? autoscaler.trouble(key) : Optional.empty();
            if (trouble.isPresent()) {
                return new Admission.Hopeless(trouble.get());
            }
            held.add(new Held(waiter, avoid, forStart));
            evaluate = forStart && !poked;
            poked |= evaluate;
        }
        if (evaluate) {
            autoscaler.poke(key);
        }
        return WAITING;
    }

    /** Whether the request was still queued; if not, a replica has been granted to it already. */
    synchronized boolean leave(Waiter waiter) {
        return held.removeIf(entry -> entry.waiter() == waiter);
    }

    void release(Upstream endpoint, boolean refusedConnection) {
        Grant next;
        synchronized (this) {
            endpoint.inFlight--;
            endpoint.dead |= refusedConnection;
            next = next();
        }
        if (next != null) {
            next.tell();
        }
    }

    /** Adds the replicas that run already; later changes arrive one by one through {@link #changed}. */
    synchronized void seed(Cluster cluster) {
        cluster.replicas().stream().filter(this::owns).forEach(this::apply);
    }

    void changed(Replica replica) {
        if (!owns(replica)) {
            return;
        }
        List<Grant> grants = new ArrayList<>();
        synchronized (this) {
            apply(replica);
            for (Grant next = next(); next != null; next = next()) {
                grants.add(next);
            }
        }
        grants.forEach(Grant::tell);
    }

    /** Rejects all queued requests, unless a replica is ready. */
    void fail(Trouble trouble) {
        List<Held> hopeless;
        synchronized (this) {
            if (!nothingReady()) {
                return;
            }
            hopeless = List.copyOf(held);
            held.clear();
            poked = false;
        }
        hopeless.forEach(entry -> entry.waiter().refused(trouble));
    }

    /** For a deleted version: rejects all queued and all future requests, even those that wait for a busy replica. */
    void close(Trouble trouble) {
        synchronized (this) {
            gone = trouble;
            upstreams.clear();
        }
        fail(trouble);
    }

    int inFlight(String replica) {
        synchronized (this) {
            return upstreams.stream()
                    .filter(endpoint -> endpoint.replica.id().equals(replica))
                    .mapToInt(endpoint -> endpoint.inFlight)
                    .sum();
        }
    }

    private boolean owns(Replica replica) {
        return VersionKey.of(replica).equals(key) && !replica.started().isBefore(version.created());
    }

    private void apply(Replica replica) {
        boolean known = upstreams.stream().anyMatch(u -> u.replica.id().equals(replica.id()));
        if (replica.state() != Replica.State.READY) {
            upstreams.removeIf(endpoint -> endpoint.replica.id().equals(replica.id()));
        } else if (!known) {
            upstreams.add(new Upstream(replica));
            poked = false;
        }
    }

    private boolean nothingReady() {
        for (Upstream endpoint : upstreams) {
            if (!endpoint.dead) {
                return false;
            }
        }
        return true;
    }

    /** Assigns a free replica to the oldest queued request, if there are both. */
    private Grant next() {
        Held first = held.peek();
        if (first == null) {
            return null;
        }
        Upstream free = pick(first.avoid());
        if (free == null) {
            return null;
        }
        held.poll();
        free.inFlight++;
        return new Grant(first, free);
    }

    /** Least loaded replica with a free slot, or null; there are few replicas, so a linear scan is cheapest. */
    private Upstream pick(Upstream avoid) {
        Upstream best = null;
        for (Upstream endpoint : upstreams) {
            if (endpoint.dead || endpoint.inFlight >= capacity) {
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
