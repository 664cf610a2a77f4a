package io.knabla.controller.knative.reconcile;

import io.fabric8.knative.serving.v1.Configuration;
import io.fabric8.knative.serving.v1.Revision;
import io.fabric8.knative.serving.v1.Route;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.javaoperatorsdk.operator.api.config.informer.InformerConfiguration;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Cleaner;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.DeleteControl;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.TransformingItemStore;
import io.knabla.controller.knative.KnativeView;
import io.knabla.controller.knative.WorkloadLabels;
import io.knabla.controller.knative.manifest.FunctionOwnership;
import io.knabla.controller.knative.resource.FunctionObject;
import io.knabla.controller.knative.resource.Labels;
import io.knabla.controller.knative.status.FunctionSnapshot;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/**
 * Adapts the operator framework: hands each reconciliation to {@link ReconcilePass}, each deletion to
 * {@link FunctionFinalizer}.
 */
final class FunctionReconciler implements Reconciler<FunctionObject>, Cleaner<FunctionObject> {
    private final KnativeView view;
    private final ReconcilePass pass;
    private final FunctionFinalizer removal;

    private final ManualTriggers triggers;
    private final BooleanSupplier leads;

    FunctionReconciler(
            KnativeView view,
            ReconcilePass pass,
            FunctionFinalizer removal,
            ManualTriggers triggers,
            BooleanSupplier leads) {
        this.view = view;
        this.pass = pass;
        this.removal = removal;
        this.triggers = triggers;
        this.leads = leads;
    }

    @Override
    public List<EventSource<?, FunctionObject>> prepareEventSources(EventSourceContext<FunctionObject> context) {
        triggers.useCache(context.getPrimaryCache());
        return List.of(
                source(Route.class, context),
                source(Configuration.class, context),
                source(Revision.class, context),
                triggers);
    }

    @Override
    public UpdateControl<FunctionObject> reconcile(FunctionObject function, Context<FunctionObject> context) {
        if (!leads.getAsBoolean()) {
            return UpdateControl.noUpdate();
        }
        Optional<Duration> again =
                pass.reconcile(function, seen(function, context), () -> triggers.trigger(FunctionParser.id(function)));
        UpdateControl<FunctionObject> done = UpdateControl.noUpdate();
        return again.map(done::rescheduleAfter).orElse(done);
    }

    @Override
    public DeleteControl cleanup(FunctionObject function, Context<FunctionObject> context) {
        if (!leads.getAsBoolean()) {
            return DeleteControl.noFinalizerRemoval();
        }
        return removal.cleanUp(function, seen(function, context))
                .map(wait -> DeleteControl.noFinalizerRemoval().rescheduleAfter(wait.toMillis()))
                .map(DeleteControl.class::cast)
                .orElseGet(DeleteControl::defaultDelete);
    }

    private FunctionSnapshot seen(FunctionObject function, Context<FunctionObject> context) {
        var ours = new FunctionOwnership(FunctionParser.id(function));
        return new FunctionSnapshot(
                context.getSecondaryResourcesAsStream(Configuration.class)
                        .filter(ours::matches)
                        .toList(),
                context.getSecondaryResourcesAsStream(Revision.class)
                        .filter(ours::matches)
                        .toList(),
                context.getSecondaryResourcesAsStream(Route.class)
                        .filter(ours::matches)
                        .findFirst(),
                view.pods(FunctionParser.id(function)),
                view.nodeObjects());
    }

    private static <T extends HasMetadata> InformerEventSource<T, FunctionObject> source(
            Class<T> type, EventSourceContext<FunctionObject> context) {
        var configuration = InformerEventSourceConfiguration.from(type, FunctionObject.class)
                .withName(type.getSimpleName())
                .withLabelSelector(Labels.FUNCTION)
                .withNamespacesInheritedFromController()
                .withSecondaryToPrimaryMapper(FunctionReconciler::owner);
        InformerConfiguration<?> all = context.getControllerConfiguration().getInformerConfig();
        if (all.watchAllNamespaces() || OperatorRuntime.isSingle(all.getNamespaces())) {
            configuration.withItemStore(new TransformingItemStore<>(OperatorRuntime::withoutManagedFields));
        }
        return new InformerEventSource<>(configuration.build(), context);
    }

    private static Set<ResourceID> owner(HasMetadata object) {
        return WorkloadLabels.function(object).stream()
                .map(function -> new ResourceID(function.name(), function.namespace()))
                .collect(Collectors.toSet());
    }
}
