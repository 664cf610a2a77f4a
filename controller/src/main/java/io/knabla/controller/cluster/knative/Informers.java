package io.knabla.controller.cluster.knative;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.dsl.Informable;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.javaoperatorsdk.operator.processing.event.source.informer.TransformingItemStore;
import java.util.function.UnaryOperator;

/**
 * Makes informers that never end by themselves: Fabric8's own give up for good when the API server refuses the first
 * list, or says something that they cannot read.
 */
public final class Informers {
    private Informers() {}

    /**
     * Not started yet; tried again after 1 s, then ever more slowly, up to every 32 s.
     *
     * @param small makes an object smaller that is to be kept; who manages its fields is never kept
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
