package io.knabla.controller.knative.calls;

import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;

/** The client of every test that names no other, found by {@link java.util.ServiceLoader}: it records its calls. */
public final class RecordingHttpClientFactory implements HttpClient.Factory {
    static final ProductCalls CALLS = new ProductCalls();

    private final HttpClient.Factory jdk = new JdkHttpClientFactory();

    @Override
    public HttpClient.Builder newBuilder() {
        return jdk.newBuilder().addOrReplaceInterceptor("product-calls", CALLS);
    }

    /** Above the one that it wraps, which is found too. */
    @Override
    public int priority() {
        return jdk.priority() + 1;
    }
}
