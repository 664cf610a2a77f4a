package io.knabla.controller.knative.calls;

import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.Interceptor;
import io.micrometer.core.instrument.MeterRegistry;

/** Counts requests to the Kubernetes API by verb, group and resource, as {@code knabla_kubernetes_requests_total}. */
public final class ApiCallCounter implements Interceptor {
    /** Key of this interceptor in the client. */
    public static final String NAME = "knabla-calls";

    private final MeterRegistry registry;

    public ApiCallCounter(MeterRegistry registry) {
        this.registry = registry;
    }

    @Override
    public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
        ApiCall call = ApiCall.of(request.method(), request.uri());
        registry.counter(
                        "knabla.kubernetes.requests",
                        "verb",
                        call.verb(),
                        "group",
                        call.group(),
                        "resource",
                        call.resource())
                .increment();
    }
}
