package io.knabla.controller.knative;

import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import java.util.function.Consumer;

/** Calls one consumer for every added, updated or deleted object of an informer. */
public record ChangeHandler<T>(Consumer<T> consumer) implements ResourceEventHandler<T> {
    @Override
    public void onAdd(T object) {
        consumer.accept(object);
    }

    @Override
    public void onUpdate(T before, T object) {
        consumer.accept(object);
    }

    @Override
    public void onDelete(T object, boolean unseen) {
        consumer.accept(object);
    }
}
