package io.knabla.controller.platform;

import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.catalog.Version;
import java.net.URI;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * One running copy of a version.
 *
 * @param id never reused, such as {@code digits-v1-7f3a}
 * @param versionCreated identity of the version beyond its number, which a function of the same name that was deleted
 *     may have had too; empty on a cluster
 * @param address of its server, once {@link State#READY}
 * @param token that it requires in the header {@code Knabla-Replica-Token}
 * @param phases milliseconds of each start phase it has reported: place, fetch, boot, load
 * @param reason why it is in this state, for people
 * @param failure kind of a failure, for machines; {@link Failure#UNSPECIFIED} in any state but {@link State#FAILED}
 * @param start how its process came to be
 */
public record Replica(
        String id,
        FunctionId function,
        int version,
        Optional<Instant> versionCreated,
        String node,
        State state,
        Optional<URI> address,
        String token,
        Map<String, Double> phases,
        Instant started,
        String reason,
        Failure failure,
        Start start) {

    /** Whether it runs this version, which is not of an earlier function of the same name. */
    public boolean isOf(FunctionId owner, Version deployed) {
        return function.equals(owner)
                && version == deployed.number()
                && versionCreated.equals(Optional.of(deployed.created()));
    }

    public Replica startedAs(Start kind) {
        return new Replica(
                id,
                function,
                version,
                versionCreated,
                node,
                state,
                address,
                token,
                phases,
                started,
                reason,
                failure,
                kind);
    }

    public Replica in(State other) {
        return new Replica(
                id,
                function,
                version,
                versionCreated,
                node,
                other,
                address,
                token,
                phases,
                started,
                reason,
                failure,
                start);
    }

    /** How the process of a replica came to be. */
    public enum Start {
        /** It was started for the replica. */
        COLD,
        /** It waited in the pool. */
        POOLED
    }

    /** Kind of a failure. */
    public enum Failure {
        UNSPECIFIED,
        /** It used more memory than its function declares. */
        OUT_OF_MEMORY,
        /** Its GPU, or its access to it, was lost; another process may have it again. */
        DEVICE_LOST,
        /** Its node was taken back. */
        INTERRUPTED
    }

    public enum State {
        STARTING,
        READY,
        /** It was ready and misses health probes: it gets no requests until it answers again or is killed. */
        UNRESPONSIVE,
        DRAINING,
        STOPPED,
        FAILED
    }
}
