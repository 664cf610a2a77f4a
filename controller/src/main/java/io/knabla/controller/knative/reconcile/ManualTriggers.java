package io.knabla.controller.knative.reconcile;

import io.javaoperatorsdk.operator.api.reconciler.IndexedResourceCache;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.inbound.SimpleInboundEventSource;
import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.knative.resource.FunctionObject;

/** Triggers reconciliations for changes outside the framework's own watches. */
final class ManualTriggers extends SimpleInboundEventSource<FunctionObject> {
    private volatile IndexedResourceCache<FunctionObject> functions;

    ManualTriggers() {
        super("nudges");
    }

    void useCache(IndexedResourceCache<FunctionObject> all) {
        functions = all;
    }

    void trigger(FunctionId function) {
        propagateEvent(new ResourceID(function.name(), function.namespace()));
    }

    void triggerAll() {
        if (isRunning()) {
            functions.list().forEach(function -> trigger(FunctionParser.id(function)));
        }
    }
}
