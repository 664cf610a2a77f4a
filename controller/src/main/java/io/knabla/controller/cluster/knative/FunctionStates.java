package io.knabla.controller.cluster.knative;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Informable;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.cluster.knative.resource.FunctionObject;
import io.knabla.controller.cluster.knative.resource.FunctionObjectStatus;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/** The Functions' statuses as the operator wrote them last, wherever it runs; followed by a watch. */
final class FunctionStates implements AutoCloseable {
    /** @param current whether it is about the resource as it is now */
    record State(FunctionObjectStatus status, boolean current) {}

    private final List<SharedIndexInformer<FunctionObject>> informers;

    private final CompletableFuture<Void> heard;

    private FunctionStates(List<SharedIndexInformer<FunctionObject>> informers) {
        this.informers = informers;
        heard = CompletableFuture.allOf(informers.stream()
                .map(informer -> informer.start().toCompletableFuture())
                .toArray(CompletableFuture[]::new));
    }

    /**
     * Begins to follow, and goes on trying where that fails.
     *
     * @param namespaces empty for all
     */
    static FunctionStates open(KubernetesClient client, List<String> namespaces) {
        var functions = client.resources(FunctionObject.class);
        Stream<Informable<FunctionObject>> which = namespaces.isEmpty()
                ? Stream.of(functions.inAnyNamespace())
                : namespaces.stream().map(functions::inNamespace);
        return new FunctionStates(
                which.map(these -> Informers.of(these, FunctionStates::small)).toList());
    }

    /** Waits until all there are have been told of, or for so long; who asks first would hear of none. */
    FunctionStates heard(Duration most) {
        try {
            heard.get(most.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException notYet) {
            // It goes on trying.
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
        return this;
    }

    /** Thousands of them are kept, for what their statuses say. */
    private static FunctionObject small(FunctionObject function) {
        function.getMetadata().setAnnotations(null);
        function.setSpec(JsonNodeFactory.instance.objectNode());
        return function;
    }

    /** Empty where there is no such resource, or nothing was said of it yet. */
    Optional<State> of(FunctionId id) {
        return informers.stream()
                .flatMap(informer -> Stream.ofNullable(informer.getStore().getByKey(id.toString())))
                .findFirst()
                .filter(function -> function.getStatus() != null)
                .map(function -> new State(
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
