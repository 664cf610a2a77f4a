package io.knabla.controller.knative.reconcile;

import io.fabric8.kubernetes.api.model.Condition;
import io.knabla.controller.catalog.Catalog;
import io.knabla.controller.catalog.CatalogException;
import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.catalog.FunctionRecord;
import io.knabla.controller.deploy.DeployResult;
import io.knabla.controller.deploy.TrafficChange;
import io.knabla.controller.knative.reconcile.PackagingQueue.Outcome;
import io.knabla.controller.knative.reconcile.PackagingQueue.PackagingRequest;
import io.knabla.controller.knative.resource.FunctionObject;
import io.knabla.controller.knative.resource.FunctionObjectStatus;
import io.knabla.controller.knative.status.FunctionSnapshot;
import io.knabla.controller.knative.status.MissingUnit;
import io.knabla.controller.knative.status.PackagingState;
import io.knabla.functions.Fault;
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
final class VersionReconciler {
    /** How long a deploy through the API may take between storing a version and writing its resource. */
    static final Duration API_DEPLOY_GRACE = Duration.ofMinutes(1);

    /**
     * Result of one reconciliation of the catalog.
     *
     * @param record what may run meanwhile; empty before the first version, and while the store does not answer
     * @param again when to try again; empty if only a change can help
     */
    record VersionOutcome(PackagingState packaging, Optional<FunctionRecord> record, Optional<Instant> again) {
        VersionOutcome(Outcome outcome, Optional<FunctionRecord> record) {
            this(outcome.packaging(), record, outcome.again());
        }
    }

    private final Catalog catalog;
    private final PackagingQueue packagings;
    private final TrafficChange traffic;
    private final RecordOwnership ownership;
    private final Clock clock;

    VersionReconciler(
            Catalog catalog, PackagingQueue packagings, TrafficChange traffic, RecordOwnership ownership, Clock clock) {
        this.catalog = catalog;
        this.packagings = packagings;
        this.traffic = traffic;
        this.ownership = ownership;
        this.clock = clock;
    }

    VersionOutcome reconcile(FunctionObject function, FunctionSnapshot seen, Runnable ended) {
        try {
            return outcome(function, seen, ended);
        } catch (StorageException | CatalogException trouble) {
            return new VersionOutcome(new PackagingState.Failed(trouble), Optional.empty(), Optional.empty());
        }
    }

    private VersionOutcome outcome(FunctionObject function, FunctionSnapshot seen, Runnable ended) {
        FunctionId id = FunctionParser.id(function);
        String uid = function.getMetadata().getUid();
        Optional<FunctionRecord> record = packagings.isNew(uid) ? findOrDeleteStale(uid, id) : catalog.find(id);
        return switch (FunctionParser.parse(function)) {
            case Parsed.Invalid(var faults) ->
                new VersionOutcome(new PackagingState.Invalid(faults), record, Optional.empty());
            case Parsed.Valid(var desired) -> {
                var request = new PackagingRequest(desired, uid, ownership);
                Outcome outcome = packagings.isNew(uid) && isPackaged(function, desired, record)
                        ? packagings.markPackaged(uid, request, unchanged(record.orElseThrow()))
                        : packagings.submit(uid, request, ended);
                if (!PackagingQueue.isVersion(outcome.packaging())) {
                    yield new VersionOutcome(outcome, record);
                }
                record.flatMap(there -> MissingUnit.fingerprint(seen, there))
                        .ifPresent(word -> packagings.packageAgain(uid, word, ended));
                yield withTraffic(uid, id, desired, outcome);
            }
        };
    }

    /** Finds the record of this Function; deletes one left by an earlier Function of the same name. */
    private Optional<FunctionRecord> findOrDeleteStale(String uid, FunctionId id) {
        Optional<FunctionRecord> known = catalog.find(id);
        if (known.filter(there -> ownership.isOwnedByAnother(there, uid)).isEmpty()) {
            return known;
        }
        Optional<FunctionRecord> now = catalog.readFromStore(id);
        if (now.filter(there -> ownership.isOwnedByAnother(there, uid)).isEmpty()) {
            return now;
        }
        catalog.delete(id);
        return Optional.empty();
    }

    /** Whether the status says that this spec is packaged: a controller that starts need not package it again. */
    private static boolean isPackaged(
            FunctionObject function, FunctionResource desired, Optional<FunctionRecord> record) {
        FunctionObjectStatus status = function.getStatus();
        return status != null
                && function.getMetadata().getGeneration().equals(status.observedGeneration())
                && conditions(status).stream().anyMatch(VersionReconciler::saysPackaged)
                && record.filter(there -> isNewest(desired.spec(), there)).isPresent();
    }

    private static List<Condition> conditions(FunctionObjectStatus status) {
        return status.conditions() == null ? List.of() : status.conditions();
    }

    private static boolean saysPackaged(Condition condition) {
        return condition.getType().equals("Packaged") && condition.getStatus().equals("True");
    }

    private static DeployResult unchanged(FunctionRecord record) {
        return new DeployResult.Unchanged(record, record.latest(), List.of());
    }

    private VersionOutcome withTraffic(String uid, FunctionId id, FunctionResource desired, Outcome outcome) {
        Optional<FunctionRecord> record = owned(uid, catalog.find(id));
        if (record.isEmpty()) {
            return repackage(uid, record, "the catalog has no record of the function; it is packaged again");
        }
        if (isNewest(desired.spec(), record.get())) {
            return applyTraffic(record.get(), desired, outcome);
        }
        Instant late = record.get().latest().created().plus(API_DEPLOY_GRACE);
        if (!clock.instant().isBefore(late)) {
            return repackage(uid, record, "the newest version does not match the spec; it is packaged again");
        }
        VersionOutcome applied = applyTraffic(record.get(), desired, outcome);
        return new VersionOutcome(applied.packaging(), applied.record(), Optional.of(late));
    }

    /** Takes ownership of a record without an owner: a deploy through the API writes none. */
    private Optional<FunctionRecord> owned(String uid, Optional<FunctionRecord> record) {
        return record.map(there -> ownership.isUnowned(there) ? own(uid, there) : there);
    }

    private FunctionRecord own(String uid, FunctionRecord record) {
        return catalog.update(record.id(), current -> ownership.claim(current.orElseThrow(), uid));
    }

    private VersionOutcome repackage(String uid, Optional<FunctionRecord> record, String why) {
        packagings.forget(uid);
        return new VersionOutcome(new PackagingState.Waiting(why), record, Optional.of(Instant.EPOCH));
    }

    /** Sets the traffic that the resource says, also if it says none: on a cluster the resource alone decides. */
    private VersionOutcome applyTraffic(FunctionRecord record, FunctionResource desired, Outcome outcome) {
        if (trafficMatches(record, desired.spec())) {
            return new VersionOutcome(outcome, Optional.of(record));
        }
        return switch (traffic.syncToCatalog(record.id(), desired.spec().traffic())) {
            case TrafficChange.Outcome.Done(var changed) -> new VersionOutcome(outcome, Optional.of(changed));
            case TrafficChange.Outcome.Refused(var faults) ->
                new VersionOutcome(
                        new PackagingState.Invalid(
                                faults.stream().map(VersionReconciler::inSpec).toList()),
                        Optional.of(record),
                        Optional.empty());
            case TrafficChange.Outcome.Unknown _ ->
                new VersionOutcome(outcome.packaging(), Optional.empty(), Optional.of(Instant.EPOCH));
        };
    }

    /**
     * Whether the traffic needs no change. A newest version that differs from this spec was deployed through the API,
     * and its resource follows: until then, a spec that sends requests to the newest must not send it any.
     */
    private static boolean trafficMatches(FunctionRecord there, FunctionSpec desired) {
        return there.traffic().equals(desired.traffic()) || followsLatest(desired) && !isNewest(desired, there);
    }

    /** Whether the newest version was made from this spec, but for its traffic. */
    private static boolean isNewest(FunctionSpec desired, FunctionRecord record) {
        return FunctionParser.equalIgnoringTraffic(record.latest().askedSpec(), desired);
    }

    private static boolean followsLatest(FunctionSpec desired) {
        return desired.traffic().isEmpty() || desired.traffic().stream().anyMatch(FunctionSpec.TrafficTarget::latest);
    }

    private static Fault inSpec(Fault fault) {
        return new Fault("spec." + fault.path(), fault.message());
    }
}
