package io.knabla.controller.operator;

import io.javaoperatorsdk.operator.api.reconciler.IndexedResourceCache;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.inbound.SimpleInboundEventSource;
import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.cluster.knative.resource.FunctionObject;

/** Triggers reconciliations for changes outside the framework's own watches. */
final class Nudges extends SimpleInboundEventSource<FunctionObject> {
    private volatile IndexedResourceCache<FunctionObject> functions;

    Nudges() {
        super("nudges");
    }

    void of(IndexedResourceCache<FunctionObject> all) {
        functions = all;
    }

    void one(FunctionId function) {
        propagateEvent(new ResourceID(function.name(), function.namespace()));
    }

    void all() {
        if (isRunning()) {
            functions.list().forEach(function -> one(Wish.id(function)));
        }
    }
}
