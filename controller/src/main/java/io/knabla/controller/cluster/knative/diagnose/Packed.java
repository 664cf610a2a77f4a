package io.knabla.controller.cluster.knative.diagnose;

import io.knabla.controller.catalog.CatalogException;
import io.knabla.controller.catalog.Version;
import io.knabla.controller.deploy.Deployment;
import io.knabla.controller.deploy.Deployment.Busy;
import io.knabla.controller.deploy.Deployment.Deployed;
import io.knabla.controller.deploy.Deployment.ModelMissing;
import io.knabla.controller.deploy.Deployment.Refused;
import io.knabla.controller.deploy.Deployment.Unchanged;
import io.knabla.functions.spec.Fault;
import io.knabla.functions.unit.Digest;
import io.knabla.storage.StorageException;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/** Computes the condition {@code Packaged}: whether the store has a unit for the resource's spec. */
final class Packed {
    private Packed() {}

    static Verdict judge(Packaging packaging) {
        return switch (packaging) {
            case Packaging.Waiting(var sentence) -> Verdict.unknown("Packaging", sentence);
            case Packaging.Invalid(var faults) -> Verdict.no("Invalid", text(faults));
            case Packaging.Failed(var why) -> failed(why);
            case Packaging.Ended(var deployment) -> judge(deployment);
        };
    }

    private static Verdict judge(Deployment deployment) {
        return switch (deployment) {
            case Deployed(var _, var version, var warnings) -> packaged(version, warnings);
            case Unchanged(var _, var version, var warnings) -> packaged(version, warnings);
            case ModelMissing(var digests) -> Verdict.no("ModelMissing", missing(digests));
            case Refused(var faults) -> Verdict.no(reason(faults), text(faults));
            case Busy(var sentence, var _) -> Verdict.unknown("Busy", sentence);
        };
    }

    private static Verdict packaged(Version version, List<String> warnings) {
        String unit = "version %d is unit %s in the store"
                .formatted(version.number(), version.unit().value());
        return Verdict.yes("Packaged", warnings.isEmpty() ? unit : unit + "; " + String.join("; ", warnings));
    }

    /** Returns {@code ModelRefused} if every fault is in {@code spec.model}. */
    private static String reason(List<Fault> faults) {
        return faults.stream().allMatch(fault -> fault.path().startsWith("spec.model")) ? "ModelRefused" : "Invalid";
    }

    private static String text(List<Fault> faults) {
        return faults.stream().map(Fault::toString).collect(Collectors.joining("; "));
    }

    private static String missing(List<Digest> digests) {
        return "the store has no file %s. kubectl sends no files: run ./knabla deploy -f with --context, which uploads it, or set spec.model to s3://bucket/key"
                .formatted(digests.stream().map(Digest::value).collect(Collectors.joining(", ")));
    }

    /** Reports unexpected errors too: a Function must not wait without a reason. */
    private static Verdict failed(RuntimeException why) {
        String said = Objects.requireNonNullElseGet(why.getMessage(), why::toString);
        return switch (why) {
            case CatalogException catalog -> catalog(catalog.kind(), said);
            case StorageException _ ->
                Verdict.no(
                        StoreFaults.of(said)
                                .orElse(StoreFaults.StoreUnavailable)
                                .name(),
                        said);
            default -> Verdict.no(StoreFaults.of(said).map(Enum::name).orElse("Failed"), said);
        };
    }

    private static Verdict catalog(CatalogException.Kind kind, String said) {
        return switch (kind) {
            case BUSY -> Verdict.unknown("Busy", said);
            case DAMAGED -> Verdict.no("CatalogDamaged", said);
            case NEWER -> Verdict.no("CatalogNewer", said);
        };
    }
}
