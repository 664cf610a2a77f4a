package io.knabla.runtime.shm;

import io.knabla.runtime.errors.InferenceError;
import io.knabla.runtime.http.HttpRequest;
import io.knabla.runtime.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The regions that clients have registered, and the requests that do so. Opens no memory itself: a region whose object
 * is missing or too small is refused when a request uses it. Thread-safe.
 */
public final class SharedRegions {
    /** Passes the regions from the gateway to a replica, with each request of a client on this machine. */
    public static final String HEADER = "Knabla-Shared-Memory";

    public static final String PATH = "/v2/systemsharedmemory";

    /** Memory of GPUs, of which clients unregister all regions before they begin. */
    public static final String CUDA_PATH = "/v2/cudasharedmemory";

    /** They must fit into a request's head. */
    private static final int MOST = 64;

    private final Map<String, SharedRegion> regions = new ConcurrentSkipListMap<>();

    /** Reads {@link #HEADER}. */
    public static SharedRegions ofHeader(String header) {
        var read = new SharedRegions();
        for (String region : header.split(",")) {
            SharedRegion one = SharedRegion.ofHeader(region);
            read.regions.put(one.name(), one);
        }
        return read;
    }

    /** Whether a request is one of this extension. */
    public static boolean handles(String path) {
        return path.startsWith(PATH + "/") || path.startsWith(CUDA_PATH + "/");
    }

    /** GET or POST. */
    public static String method(String path) {
        return path.endsWith("/status") ? "GET" : "POST";
    }

    public Optional<SharedRegion> find(String name) {
        return Optional.ofNullable(regions.get(name));
    }

    /** All regions as {@link #HEADER}; empty if there are none. */
    public String header() {
        return regions.isEmpty()
                ? ""
                : regions.values().stream().map(SharedRegion::toHeader).collect(Collectors.joining(","));
    }

    /** Answers a request of the right method whose body was read. */
    public HttpResponse answer(String path, HttpRequest request) {
        boolean cuda = path.startsWith(CUDA_PATH);
        String rest = path.substring((cuda ? CUDA_PATH : PATH).length());
        String name = rest.startsWith("/region/") ? rest.substring(8, Math.max(8, rest.lastIndexOf('/'))) : "";
        return switch (rest.substring(rest.lastIndexOf('/'))) {
            case "/status" -> status(cuda, name);
            case "/unregister" -> {
                if (!cuda) {
                    regions.keySet().removeIf(known -> name.isEmpty() || known.equals(name));
                }
                yield json(200, "{}");
            }
            case "/register" ->
                cuda ? InferenceError.of(501, "there is no GPU memory to share here") : register(name, request);
            default ->
                InferenceError.of(404, "there are status, register and unregister below " + PATH + "[/region/NAME]");
        };
    }

    private HttpResponse status(boolean cuda, String name) {
        if (!cuda && !name.isEmpty() && find(name).isEmpty()) {
            return InferenceError.of(400, "Unable to find system shared memory region: '" + quoted(name) + "'");
        }
        Stream<SharedRegion> known = cuda ? Stream.of() : regions.values().stream();
        return json(
                200,
                known.filter(region -> name.isEmpty() || region.name().equals(name))
                        .map(SharedRegion::toJson)
                        .collect(Collectors.joining(",", "[", "]")));
    }

    private synchronized HttpResponse register(String name, HttpRequest request) {
        return switch (RegionRegistration.read(name, request.body(), request.bodyLength())) {
            case RegionRegistration.Accepted(SharedRegion region) -> add(region);
            case RegionRegistration.Refused(String sentence) -> InferenceError.of(400, sentence);
        };
    }

    private HttpResponse add(SharedRegion region) {
        String name = region.name();
        if (regions.containsKey(name)) {
            return InferenceError.of(
                    400, "shared memory region '" + name + "' is already registered; unregister it first");
        }
        if (regions.size() >= MOST) {
            return InferenceError.of(400, "at most " + MOST + " regions can be registered; unregister one first");
        }
        regions.put(name, region);
        return json(200, "{}");
    }

    private static String quoted(String name) {
        return SharedRegion.isName(name) ? name : "?";
    }

    private static HttpResponse json(int status, String json) {
        return HttpResponse.json(status, json.getBytes(StandardCharsets.UTF_8));
    }
}
