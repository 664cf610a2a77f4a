package io.knabla.controller.operator;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.knabla.controller.catalog.Catalog;
import io.knabla.controller.catalog.CatalogException;
import io.knabla.controller.cluster.knative.diagnose.Seen;
import io.knabla.controller.cluster.knative.resource.FunctionObject;
import io.knabla.storage.StorageException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Takes a deleted Function's traces away, first in the cluster and then in the catalog, so that one of the same name
 * that comes at once finds nothing of it. Trouble elsewhere may hold this up for a while, but not for ever: a namespace
 * must be able to go.
 */
final class Removal {
    /** For Kubernetes to collect what belonged to the function. */
    static final Duration IN_CLUSTER = Duration.ofSeconds(30);

    /** For the store to answer again. */
    static final Duration IN_STORE = Duration.ofMinutes(2);

    private static final System.Logger LOG = System.getLogger(Removal.class.getName());
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(5);

    private final Catalog catalog;
    private final Packagings packagings;
    private final Writer writer;
    private final Reporter reporter;
    private final Replacements replacements;
    private final Clock clock;

    Removal(
            Catalog catalog,
            Packagings packagings,
            Writer writer,
            Reporter reporter,
            Replacements replacements,
            Clock clock) {
        this.catalog = catalog;
        this.packagings = packagings;
        this.writer = writer;
        this.reporter = reporter;
        this.replacements = replacements;
        this.clock = clock;
    }

    /** How long to wait before it is worth another look, or empty when nothing is left. */
    Optional<Duration> of(FunctionObject function, Seen seen) {
        String uid = function.getMetadata().getUid();
        packagings.forget(uid);
        // One that ends later would write the catalog's document anew.
        if (packagings.runs(uid)) {
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

    /** What a webhook keeps from going, its owner's end takes along as soon as the webhook lets it. */
    private void delete(FunctionObject function, List<HasMetadata> left) {
        try {
            left.stream().filter(object -> !object.isMarkedForDeletion()).forEach(writer::delete);
        } catch (KubernetesClientException declined) {
            if (age(function).compareTo(IN_CLUSTER) < 0) {
                throw declined;
            }
            LOG.log(
                    System.Logger.Level.WARNING,
                    "{0} is deleted, but the API server does not let all go that belongs to it, which is left to Kubernetes: {1}",
                    Wish.id(function),
                    declined.getMessage());
        }
    }

    private static Stream<HasMetadata> left(Seen seen) {
        return Stream.of(seen.route().stream(), seen.configurations().stream(), seen.revisions().stream())
                .flatMap(objects -> objects);
    }

    private void forget(FunctionObject function) {
        try {
            catalog.delete(Wish.id(function));
        } catch (StorageException | CatalogException trouble) {
            if (age(function).compareTo(IN_STORE) < 0) {
                throw trouble;
            }
            LOG.log(
                    System.Logger.Level.WARNING,
                    "{0} is deleted, but its document stays in the catalog: {1}",
                    Wish.id(function),
                    trouble.getMessage());
        }
        writer.forget(function);
        reporter.forget(function);
        replacements.done(Wish.id(function));
    }

    private Duration age(FunctionObject function) {
        return Duration.between(Instant.parse(function.getMetadata().getDeletionTimestamp()), clock.instant());
    }
}
