package io.knabla.controller.auth;

import io.knabla.runtime.paths.FunctionPath;
import io.knabla.runtime.paths.TextPaths;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Decides whether to accept an HTTP request: checks its Host header, its origin and its token, without side effects.
 * The Host check prevents DNS rebinding: a foreign page can point its own name at this machine.
 *
 * @param boundHost where the server listens
 * @param token that callers must send; empty when none is required
 * @param pages web pages of other origins that may call
 * @param replicaKey that replicas send instead of the token, to paths that are called by no one else
 */
public record RequestGuard(String boundHost, Optional<String> token, CrossOrigin pages, Optional<String> replicaKey) {
    private static final Set<String> OPEN_PATHS =
            Set.of("/q/health/live", "/q/health/ready", "/docs/errors", "/docs/function-yaml");
    private static final Set<String> SAFE_METHODS = Set.of("GET", "HEAD");

    /** A page that browsers open, its data and its scripts: they cannot send the token by themselves. */
    private static final String PAGE = "/costs";

    private static final Pattern BROWSER_PATHS = Pattern.compile(PAGE + "|/api/v1/costs|/assets/[0-9a-f]{64}");
    private static final String BEARER = "Bearer realm=\"knabla\"";
    private static final String BASIC =
            "Basic realm=\"knabla: any name, and the token as password\", charset=\"UTF-8\"";

    /**
     * The parts of a request that decide; headers as received, absent ones empty.
     *
     * @param path as received: with dot segments resolved, a path to a function could look like an open one
     */
    public record Request(
            String method,
            String path,
            List<String> host,
            Optional<String> origin,
            Optional<String> fetchSite,
            Optional<String> fetchMode,
            Optional<String> authorization) {}

    /**
     * HTTP status and reason of a refused request.
     *
     * @param challenge value of the header {@code WWW-Authenticate}, which a status of 401 has
     */
    public record Refusal(int status, String sentence, Optional<String> challenge) {}

    public RequestGuard {
        token = token.filter(text -> !text.isBlank());
    }

    public RequestGuard(String boundHost, Optional<String> token) {
        this(boundHost, token, CrossOrigin.NONE);
    }

    public RequestGuard(String boundHost, Optional<String> token, CrossOrigin pages) {
        this(boundHost, token, pages, Optional.empty());
    }

    /** Returns empty when the request is accepted. */
    public Optional<Refusal> check(Request request) {
        return checkPage(request).or(() -> caller(request));
    }

    /** Like {@link #check}, without the token: a browser's preflight request has none. */
    public Optional<Refusal> checkPage(Request request) {
        return host(request).or(() -> site(request));
    }

    private Optional<Refusal> host(Request request) {
        if (request.host().size() != 1) {
            return refuse(400, "a request needs exactly one Host header");
        }
        Optional<String> host = Addresses.hostOf(request.host().getFirst());
        if (host.isEmpty()) {
            return refuse(400, "the Host header is not host or host:port");
        }
        // A server on a wildcard address has no name to compare with; there the token, which no foreign page
        // knows, protects it.
        boolean known = host.get().equals(boundHost)
                || Addresses.isLoopback(host.get())
                || Addresses.bare(host.get()).equals(Addresses.bare(boundHost))
                || (Addresses.isEverywhere(boundHost) && token.isPresent());
        return known
                ? Optional.empty()
                : refuse(
                        403,
                        "this server is not '%s'; call it by localhost, 127.0.0.1 or the --host it was started with"
                                .formatted(host.get()));
    }

    /** Checks Origin and Sec-Fetch-Site: programs send neither, browsers send them on cross-site requests. */
    private Optional<Refusal> site(Request request) {
        Optional<String> origin = request.origin();
        if (pages.allows(origin)) {
            return Optional.empty();
        }
        if (origin.isPresent() && !sameOrigin(origin.get(), request.host().getFirst())) {
            return refuse(
                    403,
                    "a page of '%s' may not call this server; call it from a program, from its own pages, or set origins: in config.yaml"
                            .formatted(origin.get()));
        }
        boolean foreign = request.fetchSite()
                .filter(site -> !Set.of("same-origin", "none").contains(site))
                .isPresent();
        // Following a link is allowed: the page that holds it cannot read the answer.
        boolean link = SAFE_METHODS.contains(request.method())
                && request.fetchMode().filter("navigate"::equals).isPresent();
        return foreign && !link ? refuse(403, "a page of another site may not call this server") : Optional.empty();
    }

    private static boolean sameOrigin(String origin, String host) {
        String name = origin.toLowerCase(Locale.ROOT);
        String own = host.toLowerCase(Locale.ROOT);
        return name.equals("http://" + own) || name.equals("https://" + own);
    }

    private Optional<Refusal> caller(Request request) {
        if (token.isEmpty() || (OPEN_PATHS.contains(request.path()) && !ofFunction(request))) {
            return Optional.empty();
        }
        boolean forBrowser = SAFE_METHODS.contains(request.method())
                && BROWSER_PATHS.matcher(request.path()).matches()
                && !ofFunction(request);
        String challenge = forBrowser && request.path().equals(PAGE) ? BASIC : BEARER;
        String sent = request.authorization().orElse("");
        if (sent.isEmpty()) {
            return refuse(
                    challenge,
                    "a token is needed: set KNABLA_TOKEN, or send Authorization: Bearer TOKEN; in a browser, /costs"
                            + " asks for a name, which may be any, and a password, which is the token");
        }
        if (isOfReplica(request, sent)) {
            return Optional.empty();
        }
        Optional<String> secret =
                Authorization.bearer(sent).or(() -> forBrowser ? Authorization.basic(sent) : Optional.empty());
        return secret.filter(text -> equal(text, token.get())).isPresent()
                ? Optional.empty()
                : refuse(challenge, "the token is wrong: KNABLA_TOKEN must be that of the server");
    }

    private boolean isOfReplica(Request request, String authorization) {
        boolean called = FunctionPath.isOfFunctions(request.path())
                && FunctionPath.of(request.path())
                        .filter(path -> path.rest().equals(TextPaths.PREFIX_BLOCKS))
                        .isPresent();
        return called
                && !ofFunction(request)
                && replicaKey
                        .flatMap(key -> Authorization.bearer(authorization).filter(sent -> equal(sent, key)))
                        .isPresent();
    }

    /** Below the host name of a function, every path belongs to that function. */
    private static boolean ofFunction(Request request) {
        return Addresses.hostOf(request.host().getFirst())
                .filter(host -> Addresses.bare(host).endsWith(".localhost"))
                .isPresent();
    }

    /** Compares digests in constant time: neither content nor length leaks through timing. */
    private static boolean equal(String sent, String wanted) {
        return MessageDigest.isEqual(sha256(sent), sha256(wanted));
    }

    private static byte[] sha256(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every JVM has SHA-256", impossible);
        }
    }

    private static Optional<Refusal> refuse(int status, String sentence) {
        return Optional.of(new Refusal(status, sentence, Optional.empty()));
    }

    private static Optional<Refusal> refuse(String challenge, String sentence) {
        return Optional.of(new Refusal(401, sentence, Optional.of(challenge)));
    }
}
