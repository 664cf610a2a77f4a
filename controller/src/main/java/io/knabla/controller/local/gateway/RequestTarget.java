package io.knabla.controller.local.gateway;

import io.knabla.controller.catalog.FunctionId;
import java.util.OptionalInt;

/** Resource that a request addresses, parsed from its Host header and path. */
sealed interface RequestTarget {
    /** Resources of the server; below a function's root they describe that function alone. */
    enum Server {
        METADATA,
        LIVE,
        READY,
        INDEX
    }

    enum Model {
        METADATA,
        READY,
        INFER
    }

    /** @param root the function whose root the path lies below; null at the platform's root */
    record OfServer(FunctionId root, Server what) implements RequestTarget {}

    record OfModel(FunctionId function, OptionalInt version, Model what) implements RequestTarget {}

    /** A path below a function's root that the replica serves, not the gateway. */
    record OfReplica(FunctionId function, String path) implements RequestTarget {}

    record NotFound(String message) implements RequestTarget {}

    String DEFAULT_NAMESPACE = "default";
    String FUNCTIONS = "/functions/";
    String V2 = "/v2";
    String MODELS = "/v2/models/";
    String LOCALHOST = ".localhost";

    /** @param host as in the Host header, with port; may be null */
    static RequestTarget of(String host, String path) {
        FunctionId byHost = host == null ? null : ofHost(host);
        if (byHost != null) {
            return below(byHost, path);
        }
        if (!path.startsWith(FUNCTIONS)) {
            return protocol(null, path);
        }
        int namespaceEnd = path.indexOf('/', FUNCTIONS.length());
        if (namespaceEnd < 0) {
            return new NotFound("write /functions/NAMESPACE/NAME/ and then the path");
        }
        int nameEnd = path.indexOf('/', namespaceEnd + 1);
        int end = nameEnd < 0 ? path.length() : nameEnd;
        FunctionId id =
                new FunctionId(path.substring(FUNCTIONS.length(), namespaceEnd), path.substring(namespaceEnd + 1, end));
        return below(id, path.substring(end));
    }

    static boolean isFunctionHost(String host) {
        return host != null && ofHost(host) != null;
    }

    /** {@code digits.default.localhost:8080} names a function; {@code localhost} and other hosts do not. */
    private static FunctionId ofHost(String host) {
        int colon = host.lastIndexOf(':');
        int end = colon > 0 ? colon : host.length();
        int suffix = end - LOCALHOST.length();
        if (suffix <= 0 || !host.regionMatches(true, suffix, LOCALHOST, 0, LOCALHOST.length())) {
            return null;
        }
        int dot = host.indexOf('.');
        if (dot <= 0 || dot >= suffix - 1 || host.indexOf('.', dot + 1) != suffix) {
            return null;
        }
        return new FunctionId(
                host.substring(dot + 1, suffix).toLowerCase(java.util.Locale.ROOT),
                host.substring(0, dot).toLowerCase(java.util.Locale.ROOT));
    }

    private static RequestTarget below(FunctionId root, String path) {
        if (path.isEmpty() || path.equals("/")) {
            return new OfModel(root, OptionalInt.empty(), Model.METADATA);
        }
        boolean ours = path.equals(V2) || path.startsWith(V2 + "/");
        return ours ? protocol(root, path) : new OfReplica(root, path);
    }

    /** @param root the function whose root the path lies below; null at the platform's root */
    private static RequestTarget protocol(FunctionId root, String path) {
        if (path.startsWith(MODELS)) {
            return model(root, path);
        }
        return switch (path) {
            case "/v2", "/v2/" -> new OfServer(root, Server.METADATA);
            case "/v2/health/live" -> new OfServer(root, Server.LIVE);
            case "/v2/health/ready" ->
                root == null ? new OfServer(root, Server.READY) : new OfModel(root, OptionalInt.empty(), Model.READY);
            case "/v2/repository/index" -> new OfServer(root, Server.INDEX);
            default -> unknown(path);
        };
    }

    private static RequestTarget model(FunctionId root, String path) {
        int nameEnd = slashOrEnd(path, MODELS.length());
        String name = path.substring(MODELS.length(), nameEnd);
        if (root != null && !root.name().equals(name)) {
            return new NotFound(
                    "Request for unknown model: '%s' is not at the root of function %s; its model is called '%s'"
                            .formatted(name, root, root.name()));
        }
        FunctionId id = root == null ? new FunctionId(DEFAULT_NAMESPACE, name) : root;
        String rest = path.substring(nameEnd);
        OptionalInt version = OptionalInt.empty();
        if (rest.startsWith("/versions/")) {
            int end = slashOrEnd(rest, "/versions/".length());
            String number = rest.substring("/versions/".length(), end);
            version = number(number);
            if (version.isEmpty()) {
                return new NotFound("'%s' is not a version; versions are numbers: 1, 2, 3 …".formatted(number));
            }
            rest = rest.substring(end);
        }
        return switch (rest) {
            case "", "/" -> new OfModel(id, version, Model.METADATA);
            case "/ready" -> new OfModel(id, version, Model.READY);
            case "/infer" -> new OfModel(id, version, Model.INFER);
            default -> unknown(path);
        };
    }

    private static RequestTarget unknown(String path) {
        return new NotFound(
                "nothing is at %s; there are /v2, /v2/health/live, /v2/health/ready, /v2/models/NAME[/versions/N][/ready|/infer], /v2/repository/index"
                        .formatted(path));
    }

    private static int slashOrEnd(String text, int from) {
        int slash = text.indexOf('/', from);
        return slash < 0 ? text.length() : slash;
    }

    private static OptionalInt number(String text) {
        if (text.isEmpty() || text.length() > 9) {
            return OptionalInt.empty();
        }
        int number = 0;
        for (int i = 0; i < text.length(); i++) {
            int digit = text.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return OptionalInt.empty();
            }
            number = number * 10 + digit;
        }
        return number == 0 ? OptionalInt.empty() : OptionalInt.of(number);
    }
}
