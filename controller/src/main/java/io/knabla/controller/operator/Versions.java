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
import io.knabla.controller.operator.Packagings.Outcome;
import io.knabla.functions.spec.Fault;
import io.knabla.functions.spec.FunctionResource;
import io.knabla.functions.spec.FunctionSpec;
import io.knabla.functions.spec.Parsed;
import io.knabla.storage.StorageException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Brings the catalog to what a Function wishes: its newest version, and where requests go. */
final class Versions {
    /**
     * @param record what may run meanwhile; empty before the first version, and while the store does
     *     not answer
     * @param again after which it is worth another try
     */
    record Made(Packaging packaging, Optional<FunctionRecord> record, Optional<Instant> again) {
        Made(Outcome outcome, Optional<FunctionRecord> record) {
            this(outcome.packaging(), record, outcome.again());
        }
    }

    private final Catalog catalog;
    private final Packagings packagings;
    private final TrafficChange traffic;

    Versions(Catalog catalog, Packagings packagings, TrafficChange traffic) {
        this.catalog = catalog;
        this.packagings = packagings;
        this.traffic = traffic;
    }

    Made of(FunctionObject function, Seen seen, Runnable ended) {
        FunctionId id = Wish.id(function);
        Optional<FunctionRecord> record;
        try {
            record = catalog.find(id);
        } catch (StorageException | CatalogException trouble) {
            return new Made(new Packaging.Failed(trouble), Optional.empty(), Optional.empty());
        }
        return switch (Wish.of(function)) {
            case Parsed.Invalid(var faults) ->
                    new Made(new Packaging.Invalid(faults), record, Optional.empty());
            case Parsed.Valid(var wish) -> {
                String uid = function.getMetadata().getUid();
                Outcome outcome =
                        packagings.isNew(uid) && isPackaged(function, wish, record)
                                ? packagings.known(uid, wish, unchanged(record.orElseThrow()))
                                : packagings.look(uid, wish, ended);
                if (!Packagings.isVersion(outcome.packaging())) {
                    yield new Made(outcome, record);
                }
                record.flatMap(there -> Lost.word(seen, there.latest().number()))
                        .ifPresent(word -> packagings.mend(uid, word, ended));
                yield routed(uid, id, wish, outcome);
            }
        };
    }

    /** So that a controller that starts does not package all that there is once more. */
    private static boolean isPackaged(
            FunctionObject function, FunctionResource wish, Optional<FunctionRecord> record) {
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

    /** On a cluster the resource alone says where requests go, also by saying nothing. */
    private Made routed(String uid, FunctionId id, FunctionResource wish, Outcome outcome) {
        Optional<FunctionRecord> record = catalog.find(id);
        if (record.filter(there -> goesAsWished(there, wish.spec())).isPresent()) {
            return new Made(outcome, record);
        }
        return switch (traffic.follow(id, wish.spec().traffic())) {
            case TrafficChange.Outcome.Done(var changed) -> new Made(outcome, Optional.of(changed));
            case TrafficChange.Outcome.Refused(var faults) ->
                    new Made(
                            new Packaging.Invalid(faults.stream().map(Versions::inSpec).toList()),
                            record,
                            Optional.empty());
            case TrafficChange.Outcome.Unknown _ -> {
                // Somebody emptied the catalog: it is packaged again.
                packagings.forget(uid);
                yield new Made(
                        new Packaging.Waiting("the catalog lost the function; it is made again"),
                        Optional.empty(),
                        Optional.of(Instant.EPOCH));
            }
        };
    }

    /**
     * A newest version that is not this wish's was deployed through the API, and its wish is still to
     * come: until then it gets no requests by a wish that says nothing of them.
     */
    private static boolean goesAsWished(FunctionRecord there, FunctionSpec wish) {
        return there.traffic().equals(wish.traffic())
                || wish.traffic().isEmpty() && !Wish.sameButTraffic(there.latest().spec(), wish);
    }

    private static Fault inSpec(Fault fault) {
        return new Fault("spec." + fault.path(), fault.message());
    }
}
