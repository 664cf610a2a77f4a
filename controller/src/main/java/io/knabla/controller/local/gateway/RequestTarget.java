package io.knabla.controller.local.gateway;

import io.knabla.controller.catalog.FunctionId;
import io.knabla.runtime.paths.FunctionPath;
import io.knabla.runtime.paths.ModelAction;
import io.knabla.runtime.paths.ProtocolPath;
import io.knabla.runtime.paths.ServerAction;
import io.knabla.runtime.paths.TextPaths;
import io.knabla.runtime.shm.SharedRegions;
import java.util.Optional;
import java.util.OptionalInt;

/** Resource that a request addresses, parsed from its Host header and path. */
sealed interface RequestTarget {
    /**
     * @param root the function whose root the path lies below, and which alone is described; null at the platform's
     *     root
     */
    record OfServer(FunctionId root, ServerAction what) implements RequestTarget {}

    /** @param name the model's name in the path, which is the function's or the served one; "" for none */
    record OfModel(FunctionId function, OptionalInt version, ModelAction what, String name) implements RequestTarget {}

    /** A path below a function's root that the replica serves, not the gateway. */
    record OfReplica(FunctionId function, String path) implements RequestTarget {}

    /** A path of OpenAI's API at the platform's root: the request's body names the function. */
    record OfText(String path) implements RequestTarget {}

    /** Triton's system shared memory extension. */
    record OfSharedMemory(String path) implements RequestTarget {}

    record NotFound(String message) implements RequestTarget {}

    String DEFAULT_NAMESPACE = "default";
    String LOCALHOST = ".localhost";

    /** @param host as in the Host header, with port; may be null */
    static RequestTarget of(String host, String path) {
        FunctionId byHost = host == null ? null : ofHost(host);
        if (byHost != null) {
            return below(byHost, path);
        }
        if (!FunctionPath.isOfFunctions(path)) {
            return TextPaths.has(path) ? new OfText(path) : protocol(null, path);
        }
        Optional<FunctionPath> function = FunctionPath.of(path);
        return function.isEmpty()
                ? new NotFound("write %s and then the path".formatted(FunctionPath.GRAMMAR))
                : below(
                        new FunctionId(
                                function.get().namespace(), function.get().name()),
                        function.get().rest());
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
            return new OfModel(root, OptionalInt.empty(), ModelAction.METADATA, "");
        }
        return ProtocolPath.isProtocol(path) ? protocol(root, path) : new OfReplica(root, path);
    }

    /** @param root the function whose root the path lies below; null at the platform's root */
    private static RequestTarget protocol(FunctionId root, String path) {
        if (SharedRegions.handles(path)) {
            return new OfSharedMemory(path);
        }
        return switch (ProtocolPath.of(path)) {
            case ProtocolPath.OfServer(ServerAction action) -> server(root, action);
            case ProtocolPath.OfModel model -> model(root, model);
            case ProtocolPath.Unknown() ->
                new NotFound("nothing is at %s; there are %s".formatted(path, ProtocolPath.ALL));
        };
    }

    private static RequestTarget server(FunctionId root, ServerAction action) {
        boolean ofFunction = root != null;
        return switch (action) {
            case READY -> ofFunction ? ofAny(root, ModelAction.READY) : new OfServer(null, action);
            case STATISTICS -> ofFunction ? ofAny(root, ModelAction.STATISTICS) : new OfServer(null, action);
            case METADATA, LIVE, INDEX, V1_MODELS -> new OfServer(root, action);
        };
    }

    private static RequestTarget ofAny(FunctionId function, ModelAction action) {
        return new OfModel(function, OptionalInt.empty(), action, "");
    }

    private static RequestTarget model(FunctionId root, ProtocolPath.OfModel model) {
        FunctionId id = root == null ? new FunctionId(DEFAULT_NAMESPACE, model.model()) : root;
        if (model.version().isEmpty()) {
            return new OfModel(id, OptionalInt.empty(), model.action(), model.model());
        }
        OptionalInt version = number(model.version().get());
        return version.isEmpty()
                ? new NotFound("'%s' is not a version; versions are numbers: 1, 2, 3 …"
                        .formatted(model.version().get()))
                : new OfModel(id, version, model.action(), model.model());
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
