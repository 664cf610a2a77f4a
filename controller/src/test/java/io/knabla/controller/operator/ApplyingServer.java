package io.knabla.controller.operator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
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
import java.net.HttpURLConnection;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/**
 * Fabric8's API server, which also takes server-side apply: of one manager that takes nothing back it is "create, or
 * replace what it says". Who owns which field, and what an apply removes, only a real one can tell.
 */
final class ApplyingServer implements AutoCloseable {
    /** What to answer to the next requests that fit, in place of doing them. */
    private record Failure(Predicate<RecordedRequest> which, int code, AtomicInteger times) {}

    private final Queue<Failure> failures = new ConcurrentLinkedQueue<>();

    /** What to do before the next request that fits is answered. */
    private record Meanwhile(Predicate<RecordedRequest> which, Runnable work) {}

    private final Queue<Meanwhile> meanwhile = new ConcurrentLinkedQueue<>();
    private final Queue<String> requests = new ConcurrentLinkedQueue<>();
    private final KubernetesMockServer server;

    ApplyingServer() {
        server = new KubernetesMockServer(new Context(), new MockWebServer(), new HashMap<>(), new Dispatcher(), false);
        server.init();
    }

    /** It tries little by itself, so that what is asked again is asked by its user. */
    KubernetesClient client() {
        return server.createClient(builder -> builder.withHttpClientFactory(new JdkHttpClientFactory())
                .editOrNewConfig()
                .withRequestRetryBackoffLimit(1)
                .withRequestTimeout(60_000)
                .endConfig());
    }

    /** Fails the next {@code times} writes of what has {@code part} in its path. */
    void fail(String part, int code, int times) {
        failures.add(new Failure(
                request ->
                        request.getPath().contains(part) && !request.getMethod().equals("GET"),
                code,
                new AtomicInteger(times)));
    }

    /** Refuses every question about what has {@code part} in its path. */
    void hide(String part, int code) {
        failures.add(new Failure(
                request ->
                        request.getPath().contains(part) && request.getMethod().equals("GET"),
                code,
                new AtomicInteger(Integer.MAX_VALUE)));
    }

    void recover() {
        failures.clear();
    }

    /** Does {@code work} once, before the next write of what ends with {@code end} is done. */
    void before(String end, Runnable work) {
        meanwhile.add(new Meanwhile(
                request -> request.getPath().replaceAll("\\?.*", "").endsWith(end)
                        && !request.getMethod().equals("GET"),
                work));
    }

    boolean hasFailed() {
        return failures.stream().allMatch(failure -> failure.times().get() <= 0);
    }

    /** Methods and paths of what had {@code part} in its path, in order. */
    List<String> requests(String part) {
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

        /** What one manager applies it says whole; the server's own merge would lengthen lists. */
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
