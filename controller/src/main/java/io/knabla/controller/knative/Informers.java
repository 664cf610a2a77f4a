package io.knabla.controller.knative;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.dsl.Informable;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.javaoperatorsdk.operator.processing.event.source.informer.TransformingItemStore;
import java.util.function.UnaryOperator;

/**
 * Creates informers that retry for ever: Fabric8's default ones stop for good when the API server refuses the first
 * list, or sends something unreadable.
 */
public final class Informers {
    private Informers() {}

    /**
     * Creates an informer without starting it; retries after 1 s, then with a backoff up to 32 s.
     *
     * @param small strips an object before it is cached; managed fields are always stripped
     */
    public static <T extends HasMetadata> SharedIndexInformer<T> of(Informable<T> which, UnaryOperator<T> small) {
        SharedIndexInformer<T> informer = which.runnableInformer(0);
        informer.itemStore(new TransformingItemStore<>(object -> {
            object.getMetadata().setManagedFields(null);
            return small.apply(object);
        }));
        return informer.exceptionHandler((_, _) -> true);
    }
}
