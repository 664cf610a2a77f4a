package io.knabla.runtime.paths;

import java.util.Optional;

/** A path of an inference protocol, parsed: the operation, and the model that it names. */
public sealed interface ProtocolPath {
    record OfServer(ServerAction action) implements ProtocolPath {}

    /**
     * @param model as the path has it, not decoded; may be empty
     * @param version as the path has it: any text; empty if the path names none
     */
    record OfModel(String model, Optional<String> version, ModelAction action) implements ProtocolPath {}

    /** No path of these protocols. */
    record Unknown() implements ProtocolPath {}

    /** All paths of the inference protocols, for a sentence. */
    String ALL =
            "/v2, /v2/health/live, /v2/health/ready, /v2/models/NAME[/versions/N][/ready|/config|/stats|/infer], /v2/models/stats, /v2/repository/index, /v2/repository/models/NAME/load|unload, /v1/models, /v1/models/NAME[:predict]";

    /** Whether a path is one of these protocols, known or not. */
    static boolean isProtocol(String path) {
        return isAtOrBelow(path, ServerAction.METADATA.path()) || isAtOrBelow(path, ServerAction.V1_MODELS.path());
    }

    private static boolean isAtOrBelow(String path, String root) {
        return path.startsWith(root) && (path.length() == root.length() || path.charAt(root.length()) == '/');
    }

    /** @param path without a query */
    static ProtocolPath of(String path) {
        ServerAction server = ServerAction.of(path);
        if (server != null) {
            return new OfServer(server);
        }
        if (path.startsWith(ModelAction.MODELS)) {
            return NamedModel.read(path, ModelAction.MODELS.length(), path.length())
                    .target(ModelAction.MODELS);
        }
        if (path.startsWith(ModelAction.V1_MODELS)) {
            return NamedModel.ofV1(path);
        }
        return path.startsWith(ModelAction.REPOSITORY) ? NamedModel.ofRepository(path) : new Unknown();
    }

    /** The model that a path below {@link ModelAction#MODELS} names, whatever it asks of it; empty for other paths. */
    static Optional<String> modelOf(String path) {
        return path.startsWith(ModelAction.MODELS)
                ? Optional.of(NamedModel.read(path, ModelAction.MODELS.length(), path.length())
                        .name())
                : Optional.empty();
    }
}
