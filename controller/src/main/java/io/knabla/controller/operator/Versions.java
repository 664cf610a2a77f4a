package io.knabla.controller.operator;

import io.fabric8.kubernetes.api.model.Condition;
import io.knabla.controller.catalog.Catalog;
import io.knabla.controller.catalog.CatalogException;
import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.catalog.FunctionRecord;
import io.knabla.controller.cluster.knative.diagnose.Lost;
import io.knabla.controller.cluster.knative.diagnose.Packaging;
import io.knabla.controller.cluster.knative.diagnose.Seen;
import io.knabla.controller.cluster.knative.resource.FunctionObject;
import io.knabla.controller.cluster.knative.resource.FunctionObjectStatus;
import io.knabla.controller.deploy.Deployment;
import io.knabla.controller.deploy.TrafficChange;
import io.knabla.controller.operator.Packagings.Order;
import io.knabla.controller.operator.Packagings.Outcome;
import io.knabla.functions.spec.Fault;
import io.knabla.functions.spec.FunctionResource;
import io.knabla.functions.spec.FunctionSpec;
import io.knabla.functions.spec.Parsed;
import io.knabla.storage.StorageException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Brings the catalog in line with a Function: packages its newest version and sets its traffic. */
final class Versions {
    /** How long a deploy through the API may take between storing a version and writing its resource. */
    static final Duration BEFORE_ITS_WISH = Duration.ofMinutes(1);

    /**
     * Result of one reconciliation of the catalog.
     *
     * @param record what may run meanwhile; empty before the first version, and while the store does not answer
     * @param again when to try again; empty if only a change can help
     */
    record Made(Packaging packaging, Optional<FunctionRecord> record, Optional<Instant> again) {
        Made(Outcome outcome, Optional<FunctionRecord> record) {
            this(outcome.packaging(), record, outcome.again());
        }
    }

    private final Catalog catalog;
    private final Packagings packagings;
    private final TrafficChange traffic;
    private final Claims claims;
    private final Clock clock;

    Versions(Catalog catalog, Packagings packagings, TrafficChange traffic, Claims claims, Clock clock) {
        this.catalog = catalog;
        this.packagings = packagings;
        this.traffic = traffic;
        this.claims = claims;
        this.clock = clock;
    }

    Made of(FunctionObject function, Seen seen, Runnable ended) {
        try {
            return made(function, seen, ended);
        } catch (StorageException | CatalogException trouble) {
            return new Made(new Packaging.Failed(trouble), Optional.empty(), Optional.empty());
        }
    }

    private Made made(FunctionObject function, Seen seen, Runnable ended) {
        FunctionId id = Wish.id(function);
        String uid = function.getMetadata().getUid();
        Optional<FunctionRecord> record = packagings.isNew(uid) ? heir(uid, id) : catalog.find(id);
        return switch (Wish.of(function)) {
            case Parsed.Invalid(var faults) -> new Made(new Packaging.Invalid(faults), record, Optional.empty());
            case Parsed.Valid(var wish) -> {
                var order = new Order(wish, uid, claims);
                Outcome outcome = packagings.isNew(uid) && isPackaged(function, wish, record)
                        ? packagings.known(uid, order, unchanged(record.orElseThrow()))
                        : packagings.look(uid, order, ended);
                if (!Packagings.isVersion(outcome.packaging())) {
                    yield new Made(outcome, record);
                }
                record.flatMap(there -> Lost.word(seen, there)).ifPresent(word -> packagings.mend(uid, word, ended));
                yield routed(uid, id, wish, outcome);
            }
        };
    }

    /** Finds the record of this Function; deletes one left by an earlier Function of the same name. */
    private Optional<FunctionRecord> heir(String uid, FunctionId id) {
        Optional<FunctionRecord> known = catalog.find(id);
        if (known.filter(there -> claims.isAnothers(there, uid)).isEmpty()) {
            return known;
        }
        Optional<FunctionRecord> now = catalog.look(id);
        if (now.filter(there -> claims.isAnothers(there, uid)).isEmpty()) {
            return now;
        }
        catalog.delete(id);
        return Optional.empty();
    }

    /** Whether the status says that this spec is packaged: a controller that starts need not package it again. */
    private static boolean isPackaged(FunctionObject function, FunctionResource wish, Optional<FunctionRecord> record) {
        FunctionObjectStatus status = function.getStatus();
        return status != null
                && function.getMetadata().getGeneration().equals(status.observedGeneration())
                && conditions(status).stream().anyMatch(Versions::saysPackaged)
                && record.filter(there -> Wish.sameButTraffic(there.latest().spec(), wish.spec()))
                        .isPresent();
    }

    private static List<Condition> conditions(FunctionObjectStatus status) {
        return status.conditions() == null ? List.of() : status.conditions();
    }

    private static boolean saysPackaged(Condition condition) {
        return condition.getType().equals("Packaged") && condition.getStatus().equals("True");
    }

    private static Deployment unchanged(FunctionRecord record) {
        return new Deployment.Unchanged(record, record.latest(), List.of());
    }

    private Made routed(String uid, FunctionId id, FunctionResource wish, Outcome outcome) {
        Optional<FunctionRecord> record = owned(uid, catalog.find(id));
        if (record.isEmpty()) {
            return anew(uid, record, "the catalog has no record of the function; it is packaged again");
        }
        if (Wish.sameButTraffic(record.get().latest().spec(), wish.spec())) {
            return split(record.get(), wish, outcome);
        }
        Instant late = record.get().latest().created().plus(BEFORE_ITS_WISH);
        if (!clock.instant().isBefore(late)) {
            return anew(uid, record, "the newest version does not match the spec; it is packaged again");
        }
        Made made = split(record.get(), wish, outcome);
        return new Made(made.packaging(), made.record(), Optional.of(late));
    }

    /** Takes ownership of a record without an owner: a deploy through the API writes none. */
    private Optional<FunctionRecord> owned(String uid, Optional<FunctionRecord> record) {
        return record.map(there -> claims.isOpen(there) ? own(uid, there) : there);
    }

    private FunctionRecord own(String uid, FunctionRecord record) {
        return catalog.update(record.id(), current -> claims.claimed(current.orElseThrow(), uid));
    }

    private Made anew(String uid, Optional<FunctionRecord> record, String why) {
        packagings.forget(uid);
        return new Made(new Packaging.Waiting(why), record, Optional.of(Instant.EPOCH));
    }

    /** Sets the traffic that the resource says, also if it says none: on a cluster the resource alone decides. */
    private Made split(FunctionRecord record, FunctionResource wish, Outcome outcome) {
        if (goesAsWished(record, wish.spec())) {
            return new Made(outcome, Optional.of(record));
        }
        return switch (traffic.follow(record.id(), wish.spec().traffic())) {
            case TrafficChange.Outcome.Done(var changed) -> new Made(outcome, Optional.of(changed));
            case TrafficChange.Outcome.Refused(var faults) ->
                new Made(
                        new Packaging.Invalid(
                                faults.stream().map(Versions::inSpec).toList()),
                        Optional.of(record),
                        Optional.empty());
            case TrafficChange.Outcome.Unknown _ ->
                new Made(outcome.packaging(), Optional.empty(), Optional.of(Instant.EPOCH));
        };
    }

    /**
     * Whether the traffic needs no change. A newest version that differs from this spec was deployed through the API,
     * and its resource follows: until then, a spec without traffic must not send it requests.
     */
    private static boolean goesAsWished(FunctionRecord there, FunctionSpec wish) {
        return there.traffic().equals(wish.traffic())
                || wish.traffic().isEmpty()
                        && !Wish.sameButTraffic(there.latest().spec(), wish);
    }

    private static Fault inSpec(Fault fault) {
        return new Fault("spec." + fault.path(), fault.message());
    }
}
