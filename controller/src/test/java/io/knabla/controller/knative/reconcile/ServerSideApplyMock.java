package io.knabla.controller.knative.reconcile;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesCrudDispatcher;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.fabric8.mockwebserver.Context;
import io.fabric8.mockwebserver.MockWebServer;
import io.fabric8.mockwebserver.dsl.HttpMethod;
import io.fabric8.mockwebserver.http.Buffer;
import io.fabric8.mockwebserver.http.Headers;
import io.fabric8.mockwebserver.http.MockResponse;
import io.fabric8.mockwebserver.http.RecordedRequest;
import io.knabla.controller.knative.calls.RecordingHttpClientFactory;
import java.net.HttpURLConnection;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/**
 * Fabric8's mock API server with a simple server-side apply: "create, or replace the applied parts", which is right for
 * one field manager that removes nothing. Field ownership and removal need a real server.
 */
public final class ServerSideApplyMock implements AutoCloseable {
    /** Answers the next matching requests with an error code. */
    private record Failure(Predicate<RecordedRequest> which, int code, AtomicInteger times) {}

    private final Queue<Failure> failures = new ConcurrentLinkedQueue<>();

    /** Work to run before the next matching request is answered. */
    private record Meanwhile(Predicate<RecordedRequest> which, Runnable work) {}

    private final Queue<Meanwhile> meanwhile = new ConcurrentLinkedQueue<>();
    private final Queue<String> requests = new ConcurrentLinkedQueue<>();
    private final KubernetesMockServer server;

    public ServerSideApplyMock() {
        server = new KubernetesMockServer(new Context(), new MockWebServer(), new HashMap<>(), new Dispatcher(), false);
        server.init();
    }

    /** A client with one retry: further retries come from the tested code. */
    public KubernetesClient client() {
        return server.createClient(builder -> builder.withHttpClientFactory(new RecordingHttpClientFactory())
                .editOrNewConfig()
                .withRequestRetryBackoffLimit(1)
                .withRequestTimeout(60_000)
                .endConfig());
    }

    /** Fails the next {@code times} writes whose path contains {@code part}. */
    public void fail(String part, int code, int times) {
        failures.add(new Failure(
                request ->
                        request.getPath().contains(part) && !request.getMethod().equals("GET"),
                code,
                new AtomicInteger(times)));
    }

    /** Fails all reads whose path contains {@code part}. */
    void hide(String part, int code) {
        failures.add(new Failure(
                request ->
                        request.getPath().contains(part) && request.getMethod().equals("GET"),
                code,
                new AtomicInteger(Integer.MAX_VALUE)));
    }

    public void recover() {
        failures.clear();
    }

    /** Runs {@code work} once, before the next write whose path ends with {@code end}. */
    void before(String end, Runnable work) {
        meanwhile.add(new Meanwhile(
                request -> request.getPath().replaceAll("\\?.*", "").endsWith(end)
                        && !request.getMethod().equals("GET"),
                work));
    }

    boolean hasFailed() {
        return failures.stream().allMatch(failure -> failure.times().get() <= 0);
    }

    /** Methods and paths of the requests that contain {@code part}, in order. */
    public List<String> requests(String part) {
        return requests.stream().filter(request -> request.contains(part)).toList();
    }

    @Override
    public void close() {
        server.destroy();
    }

    private final class Dispatcher extends KubernetesCrudDispatcher {
        @Override
        public MockResponse dispatch(RecordedRequest request) {
            requests.add(request.getMethod() + " " + request.getPath());
            meanwhile.stream()
                    .filter(it -> it.which().test(request))
                    .filter(meanwhile::remove)
                    .forEach(it -> it.work().run());
            for (Failure failure : failures) {
                if (failure.which().test(request) && failure.times().getAndDecrement() > 0) {
                    return new MockResponse().setResponseCode(failure.code());
                }
            }
            return super.dispatch(request);
        }

        @Override
        public MockResponse handlePatch(RecordedRequest request) {
            String type = String.valueOf(request.getHeader("Content-Type"));
            if (!type.startsWith("application/apply-patch")) {
                return super.handlePatch(request);
            }
            String path = request.getPath().replaceAll("\\?.*", "");
            String applied = request.getUtf8Body();
            boolean there = handleGet(path).code() != HttpURLConnection.HTTP_NOT_FOUND;
            if (there) {
                return super.handlePatch(
                        as(request, HttpMethod.PATCH, path, "application/json-patch+json", replacing(applied, path)));
            }
            return super.handleCreate(as(
                    request, HttpMethod.POST, path.substring(0, path.lastIndexOf('/')), "application/json", applied));
        }

        /** Replaces whole parts, since one manager applies them completely; the mock's own merge would extend lists. */
        private String replacing(String applied, String path) {
            JsonNode tree = Serialization.unmarshal(applied, JsonNode.class);
            ArrayNode patch = JsonNodeFactory.instance.arrayNode();
            List<String> parts = path.endsWith("/status")
                    ? List.of("/status")
                    : List.of(
                            "/spec",
                            "/metadata/labels",
                            "/metadata/annotations",
                            "/metadata/finalizers",
                            "/metadata/ownerReferences");
            for (String part : parts) {
                JsonNode value = tree.at(part);
                if (!value.isEmpty()) {
                    patch.addObject().put("op", "add").put("path", part).set("value", value);
                }
            }
            return patch.toString();
        }

        private RecordedRequest as(RecordedRequest request, HttpMethod method, String path, String type, String body) {
            return new RecordedRequest(
                    request.getHttpVersion(),
                    method,
                    path,
                    Headers.builder().add("Content-Type", type).build(),
                    new Buffer(body.getBytes(StandardCharsets.UTF_8)));
        }
    }
}
