package io.knabla.controller.local.gateway;

import io.knabla.controller.catalog.FunctionId;
import io.knabla.runtime.shm.SharedRegions;
import java.util.OptionalInt;

/** Resource that a request addresses, parsed from its Host header and path. */
sealed interface RequestTarget {
    /** Resources of the server; below a function's root they describe that function alone. */
    enum Server {
        METADATA,
        LIVE,
        READY,
        STATISTICS,
        INDEX,
        V1_MODELS
    }

    enum Model {
        METADATA,
        READY,
        CONFIG,
        STATISTICS,
        INFER,
        PREDICT,
        LOAD,
        UNLOAD;

        boolean isPost() {
            return switch (this) {
                case INFER, PREDICT, LOAD, UNLOAD -> true;
                case METADATA, READY, CONFIG, STATISTICS -> false;
            };
        }
    }

    /** @param root the function whose root the path lies below; null at the platform's root */
    record OfServer(FunctionId root, Server what) implements RequestTarget {}

    /** @param name the model's name in the path, which is the function's or the served one; "" for none */
    record OfModel(FunctionId function, OptionalInt version, Model what, String name) implements RequestTarget {}

    /** A path below a function's root that the replica serves, not the gateway. */
    record OfReplica(FunctionId function, String path) implements RequestTarget {}

    /** Triton's system shared memory extension. */
    record OfSharedMemory(String path) implements RequestTarget {}

    record NotFound(String message) implements RequestTarget {}

    String DEFAULT_NAMESPACE = "default";
    String FUNCTIONS = "/functions/";
    String V2 = "/v2";
    String MODELS = "/v2/models/";
    String V1 = "/v1/models";
    String PREDICT = ":predict";
    String REPOSITORY = "/v2/repository/models/";
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
            return new OfModel(root, OptionalInt.empty(), Model.METADATA, "");
        }
        return isProtocol(path) ? protocol(root, path) : new OfReplica(root, path);
    }

    /** Whether the path is one of the inference protocols. */
    static boolean isProtocol(String path) {
        return path.equals(V2) || path.startsWith(V2 + "/") || path.equals(V1) || path.startsWith(V1 + "/");
    }

    /** @param root the function whose root the path lies below; null at the platform's root */
    private static RequestTarget protocol(FunctionId root, String path) {
        if (path.startsWith(V1 + "/")) {
            return predict(root, path);
        }
        if (SharedRegions.handles(path)) {
            return new OfSharedMemory(path);
        }
        if (path.startsWith(REPOSITORY)) {
            return repository(root, path);
        }
        if (path.startsWith(MODELS) && !path.equals(MODELS + "stats")) {
            return model(root, path);
        }
        return switch (path) {
            case "/v2", "/v2/" -> new OfServer(root, Server.METADATA);
            case "/v2/health/live" -> new OfServer(root, Server.LIVE);
            case "/v2/health/ready" ->
                root == null
                        ? new OfServer(root, Server.READY)
                        : new OfModel(root, OptionalInt.empty(), Model.READY, "");
            case V1 -> new OfServer(root, Server.V1_MODELS);
            case "/v2/models/stats" ->
                root == null
                        ? new OfServer(root, Server.STATISTICS)
                        : new OfModel(root, OptionalInt.empty(), Model.STATISTICS, "");
            case "/v2/repository/index" -> new OfServer(root, Server.INDEX);
            default -> unknown(path);
        };
    }

    private static RequestTarget model(FunctionId root, String path) {
        int nameEnd = slashOrEnd(path, MODELS.length());
        String name = path.substring(MODELS.length(), nameEnd);
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
            case "", "/" -> new OfModel(id, version, Model.METADATA, name);
            case "/ready" -> new OfModel(id, version, Model.READY, name);
            case "/config" -> new OfModel(id, version, Model.CONFIG, name);
            case "/stats" -> new OfModel(id, version, Model.STATISTICS, name);
            case "/infer" -> new OfModel(id, version, Model.INFER, name);
            default -> unknown(path);
        };
    }

    /** KServe's V1 protocol: {@code /v1/models/NAME} and {@code /v1/models/NAME:predict}. */
    private static RequestTarget predict(FunctionId root, String path) {
        boolean call = path.endsWith(PREDICT);
        String name = path.substring(V1.length() + 1, path.length() - (call ? PREDICT.length() : 0));
        return model(root, MODELS + name) instanceof OfModel(var function, var version, var what, var model)
                        && what == Model.METADATA
                ? new OfModel(function, version, call ? Model.PREDICT : Model.READY, model)
                : unknown(path);
    }

    /** Triton's model repository extension. */
    private static RequestTarget repository(FunctionId root, String path) {
        int nameEnd = slashOrEnd(path, REPOSITORY.length());
        String name = path.substring(REPOSITORY.length(), nameEnd);
        FunctionId id = root == null ? new FunctionId(DEFAULT_NAMESPACE, name) : root;
        return switch (path.substring(nameEnd)) {
            case "/load" -> new OfModel(id, OptionalInt.empty(), Model.LOAD, name);
            case "/unload" -> new OfModel(id, OptionalInt.empty(), Model.UNLOAD, name);
            default -> unknown(path);
        };
    }

    private static RequestTarget unknown(String path) {
        return new NotFound(
                "nothing is at %s; there are /v2, /v2/health/live, /v2/health/ready, /v2/models/NAME[/versions/N][/ready|/config|/stats|/infer], /v2/models/stats, /v2/repository/index, /v2/repository/models/NAME/load|unload, /v1/models, /v1/models/NAME[:predict]"
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
