package io.knabla.controller.cluster.knative;

import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import java.util.function.Consumer;

/** Calls one consumer for every added, updated or deleted object of an informer. */
public record Heard<T>(Consumer<T> hears) implements ResourceEventHandler<T> {
    @Override
    public void onAdd(T object) {
        hears.accept(object);
    }

    @Override
    public void onUpdate(T before, T object) {
        hears.accept(object);
    }

    @Override
    public void onDelete(T object, boolean unseen) {
        hears.accept(object);
    }
}
