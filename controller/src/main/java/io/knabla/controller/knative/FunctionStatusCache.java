package io.knabla.controller.knative;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Informable;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.knative.resource.FunctionObject;
import io.knabla.controller.knative.resource.FunctionObjectStatus;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/** Caches the status of every Function by a watch, as the leading operator last wrote it. */
final class FunctionStatusCache implements AutoCloseable {
    /**
     * Cached status of one Function.
     *
     * @param current whether it describes the current generation of the resource
     */
    record CachedStatus(FunctionObjectStatus status, boolean current) {}

    private final List<SharedIndexInformer<FunctionObject>> informers;

    private final CompletableFuture<Void> synced;

    private FunctionStatusCache(List<SharedIndexInformer<FunctionObject>> informers) {
        this.informers = informers;
        synced = CompletableFuture.allOf(informers.stream()
                .map(informer -> informer.start().toCompletableFuture())
                .toArray(CompletableFuture[]::new));
    }

    /**
     * Starts the watches; a watch that fails is retried.
     *
     * @param namespaces empty for all
     */
    static FunctionStatusCache open(KubernetesClient client, List<String> namespaces) {
        var functions = client.resources(FunctionObject.class);
        Stream<Informable<FunctionObject>> which = namespaces.isEmpty()
                ? Stream.of(functions.inAnyNamespace())
                : namespaces.stream().map(functions::inNamespace);
        return new FunctionStatusCache(which.map(these -> Informers.of(these, FunctionStatusCache::small))
                .toList());
    }

    /** Waits for the first lists, at most for the given time: the first caller would find nothing otherwise. */
    FunctionStatusCache synced(Duration most) {
        try {
            synced.get(most.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException notYet) {
            // The watches keep retrying.
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
        return this;
    }

    /** Drops all but metadata and status: thousands of Functions are cached. */
    private static FunctionObject small(FunctionObject function) {
        function.getMetadata().setAnnotations(null);
        function.setSpec(JsonNodeFactory.instance.objectNode());
        return function;
    }

    /** Empty if there is no such resource, or it has no status yet. */
    Optional<CachedStatus> open(FunctionId id) {
        return informers.stream()
                .flatMap(informer -> Stream.ofNullable(informer.getStore().getByKey(id.toString())))
                .findFirst()
                .filter(function -> function.getStatus() != null)
                .map(function -> new CachedStatus(
                        function.getStatus(),
                        function.getMetadata()
                                .getGeneration()
                                .equals(function.getStatus().observedGeneration())));
    }

    @Override
    public void close() {
        informers.forEach(SharedIndexInformer::close);
    }
}
