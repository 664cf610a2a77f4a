package io.knabla.controller.knative.status;

import io.knabla.controller.catalog.CatalogException;
import io.knabla.controller.catalog.Version;
import io.knabla.controller.deploy.DeployResult;
import io.knabla.controller.deploy.DeployResult.Busy;
import io.knabla.controller.deploy.DeployResult.Deployed;
import io.knabla.controller.deploy.DeployResult.ModelMissing;
import io.knabla.controller.deploy.DeployResult.Refused;
import io.knabla.controller.deploy.DeployResult.Unchanged;
import io.knabla.controller.knative.resource.Reason;
import io.knabla.functions.Fault;
import io.knabla.functions.unit.Digest;
import io.knabla.functions.unit.FailureCode;
import io.knabla.storage.StorageException;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/** Computes the condition {@code Packaged}: whether the store has a unit for the resource's spec. */
final class PackagedCondition {
    private PackagedCondition() {}

    static ConditionResult evaluate(PackagingState packaging) {
        return switch (packaging) {
            case PackagingState.Waiting(var sentence) -> ConditionResult.unknown(Reason.Packaging, sentence);
            case PackagingState.Invalid(var faults) -> ConditionResult.no(Reason.Invalid, text(faults));
            case PackagingState.Failed(var why) -> failed(why);
            case PackagingState.Ended(var deployment) -> evaluate(deployment);
        };
    }

    private static ConditionResult evaluate(DeployResult deployment) {
        return switch (deployment) {
            case Deployed(var _, var version, var warnings) -> packaged(version, warnings);
            case Unchanged(var _, var version, var warnings) -> packaged(version, warnings);
            case ModelMissing(var digests) -> ConditionResult.no(Reason.ModelMissing, missing(digests));
            case Refused(var faults) -> ConditionResult.no(reason(faults), text(faults));
            case Busy(var sentence, var _) -> ConditionResult.unknown(Reason.Busy, sentence);
        };
    }

    private static ConditionResult packaged(Version version, List<String> warnings) {
        String unit = "version %d is unit %s in the store"
                .formatted(version.number(), version.unit().value());
        return ConditionResult.yes(
                Reason.Packaged, warnings.isEmpty() ? unit : unit + "; " + String.join("; ", warnings));
    }

    /** Returns {@code ModelRefused} if every fault is in {@code spec.model}. */
    private static Reason reason(List<Fault> faults) {
        return faults.stream().allMatch(fault -> fault.path().startsWith("spec.model"))
                ? Reason.ModelRefused
                : Reason.Invalid;
    }

    private static String text(List<Fault> faults) {
        return faults.stream().map(Fault::toString).collect(Collectors.joining("; "));
    }

    private static String missing(List<Digest> digests) {
        return "the store has no file %s. kubectl sends no files: run ./knabla deploy -f with --context, which uploads it, or set spec.model to s3://bucket/key"
                .formatted(digests.stream().map(Digest::value).collect(Collectors.joining(", ")));
    }

    /** Reports unexpected errors too: a Function must not wait without a reason. */
    private static ConditionResult failed(RuntimeException why) {
        String said = Objects.requireNonNullElseGet(why.getMessage(), why::toString);
        return switch (why) {
            case CatalogException catalog -> catalog(catalog.kind(), said);
            case StorageException _ -> failed(why, Reason.StoreUnavailable, said);
            default -> failed(why, Reason.Failed, said);
        };
    }

    private static ConditionResult failed(RuntimeException why, Reason otherwise, String said) {
        return ConditionResult.no(FailureReasons.of(FailureCode.of(why)).orElse(otherwise), said);
    }

    private static ConditionResult catalog(CatalogException.Kind kind, String said) {
        return switch (kind) {
            case BUSY -> ConditionResult.unknown(Reason.Busy, said);
            case DAMAGED, UNREADABLE -> ConditionResult.no(Reason.CatalogDamaged, said);
            case NEWER -> ConditionResult.no(Reason.CatalogNewer, said);
        };
    }
}
