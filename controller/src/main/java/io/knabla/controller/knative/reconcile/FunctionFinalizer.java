package io.knabla.controller.knative.reconcile;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.knabla.controller.catalog.Catalog;
import io.knabla.controller.catalog.CatalogException;
import io.knabla.controller.knative.resource.FunctionObject;
import io.knabla.controller.knative.status.FunctionSnapshot;
import io.knabla.storage.StorageException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Finalizes a deleted Function: deletes its objects in the cluster, then its record in the catalog. A Function of the
 * same name that is created next finds nothing of it. Failures delay this only up to a limit: they must not block the
 * deletion of a namespace.
 */
final class FunctionFinalizer {
    /** Time limit for Kubernetes to delete the function's objects. */
    static final Duration IN_CLUSTER = Duration.ofSeconds(30);

    /** Time limit for an unavailable store. */
    static final Duration IN_STORE = Duration.ofMinutes(2);

    private static final System.Logger LOG = System.getLogger(FunctionFinalizer.class.getName());
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(5);

    private final Catalog catalog;
    private final PackagingQueue packagings;
    private final ObjectApplier writer;
    private final StatusWriter reporter;
    private final ReplacementLimiter replacements;
    private final Clock clock;

    FunctionFinalizer(
            Catalog catalog,
            PackagingQueue packagings,
            ObjectApplier writer,
            StatusWriter reporter,
            ReplacementLimiter replacements,
            Clock clock) {
        this.catalog = catalog;
        this.packagings = packagings;
        this.writer = writer;
        this.reporter = reporter;
        this.replacements = replacements;
        this.clock = clock;
    }

    /** Returns the delay before the next attempt; empty when nothing is left. */
    Optional<Duration> cleanUp(FunctionObject function, FunctionSnapshot seen) {
        String uid = function.getMetadata().getUid();
        packagings.forget(uid);
        // A packaging that ends later would write the catalog's record again.
        if (packagings.isRunning(uid)) {
            return Optional.of(LOOK_AGAIN);
        }
        List<HasMetadata> left = left(seen).toList();
        delete(function, left);
        if (!left.isEmpty() && age(function).compareTo(IN_CLUSTER) < 0) {
            return Optional.of(LOOK_AGAIN);
        }
        forget(function);
        return Optional.empty();
    }

    /** Deletes the objects; those that a webhook protects are garbage-collected after the Function is gone. */
    private void delete(FunctionObject function, List<HasMetadata> left) {
        try {
            left.stream().filter(object -> !object.isMarkedForDeletion()).forEach(writer::delete);
        } catch (KubernetesClientException declined) {
            if (age(function).compareTo(IN_CLUSTER) < 0) {
                throw declined;
            }
            LOG.log(
                    System.Logger.Level.WARNING,
                    "{0} is deleted, but the API server refused to delete some of its objects; Kubernetes collects them later: {1}",
                    FunctionParser.id(function),
                    declined.getMessage());
        }
    }

    private static Stream<HasMetadata> left(FunctionSnapshot seen) {
        return Stream.of(seen.route().stream(), seen.configurations().stream(), seen.revisions().stream())
                .flatMap(objects -> objects);
    }

    private void forget(FunctionObject function) {
        try {
            catalog.delete(FunctionParser.id(function));
        } catch (StorageException | CatalogException trouble) {
            if (age(function).compareTo(IN_STORE) < 0) {
                throw trouble;
            }
            LOG.log(
                    System.Logger.Level.WARNING,
                    "{0} is deleted, but its record stays in the catalog: {1}",
                    FunctionParser.id(function),
                    trouble.getMessage());
        }
        writer.forget(function);
        reporter.forget(function);
        replacements.done(FunctionParser.id(function));
    }

    private Duration age(FunctionObject function) {
        return Duration.between(Instant.parse(function.getMetadata().getDeletionTimestamp()), clock.instant());
    }
}
