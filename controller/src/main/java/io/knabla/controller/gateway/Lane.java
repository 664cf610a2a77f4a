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
 * One version's way to its replicas: which of them takes the next request, and who waits. Requests wait here and not in
 * a replica, so that whichever is free first takes the next one. Safe for use by many threads; nobody is called under
 * its lock.
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

    /** Why nobody will be let in any more, once this version is gone. */
    private Trouble gone;

    private record Held(Waiter waiter, Upstream avoid, boolean forStart) {}

    private record Grant(Held held, Upstream upstream) {
        void tell() {
            held.waiter().granted(upstream, held.forStart());
        }
    }

    Lane(VersionKey key, Version version, VersionLoad load, Autoscaler autoscaler, LaneMeters meters, int mostHeld) {
        this.key = key;
        this.version = version;
        this.load = load;
        this.autoscaler = autoscaler;
        this.meters = meters;
        this.mostHeld = mostHeld;
        capacity = ReplicaCapacity.of(version.spec());
        timeoutMillis = version.spec().timeout().toMillis();
        versionHeader = Integer.toString(version.number());
        inferPath = "/v2/models/" + key.function().name() + "/infer";
    }

    /** What became of a wish for a replica. */
    sealed interface Admission {
        record Granted(Upstream upstream) implements Admission {}

        /** The waiter will hear. */
        record Waiting() implements Admission {}

        record Full(int waiting) implements Admission {}

        record Hopeless(Trouble trouble) implements Admission {}
    }

    private static final Admission WAITING = new Admission.Waiting();

    /** @param avoid a replica that just failed this request, taken only where there is no other */
    Admission enter(Waiter waiter, Upstream avoid) {
        boolean poke;
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
            poke = forStart && !poked;
            poked |= poke;
        }
        if (poke) {
            autoscaler.poke(key);
        }
        return WAITING;
    }

    /** Whether it was still waiting; if not, a grant is on its way to it. */
    synchronized boolean leave(Waiter waiter) {
        return held.removeIf(entry -> entry.waiter() == waiter);
    }

    void release(Upstream upstream, boolean refusedConnection) {
        Grant next;
        synchronized (this) {
            upstream.inFlight--;
            upstream.dead |= refusedConnection;
            next = next();
        }
        if (next != null) {
            next.tell();
        }
    }

    /** Takes over what runs already; later changes come one by one. */
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

    /** Nobody here can be helped soon. */
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

    /** For a version that is gone: also those are refused that wait for a busy replica, or will. */
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
                    .filter(upstream -> upstream.replica.id().equals(replica))
                    .mapToInt(upstream -> upstream.inFlight)
                    .sum();
        }
    }

    private boolean owns(Replica replica) {
        return VersionKey.of(replica).equals(key) && !replica.started().isBefore(version.created());
    }

    private void apply(Replica replica) {
        boolean known = upstreams.stream().anyMatch(u -> u.replica.id().equals(replica.id()));
        if (replica.state() != Replica.State.READY) {
            upstreams.removeIf(upstream -> upstream.replica.id().equals(replica.id()));
        } else if (!known) {
            upstreams.add(new Upstream(replica));
            poked = false;
        }
    }

    private boolean nothingReady() {
        for (Upstream upstream : upstreams) {
            if (!upstream.dead) {
                return false;
            }
        }
        return true;
    }

    /** Hands the oldest waiting request to a free replica, if there are both. */
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

    /** The least loaded with room, or null; few replicas, so a look at each is cheapest. */
    private Upstream pick(Upstream avoid) {
        Upstream best = null;
        for (Upstream upstream : upstreams) {
            if (upstream.dead || upstream.inFlight >= capacity) {
                continue;
            }
            boolean better = best == null || best == avoid || upstream.inFlight < best.inFlight;
            if (better && (upstream != avoid || best == null)) {
                best = upstream;
            }
        }
        return best;
    }
}
