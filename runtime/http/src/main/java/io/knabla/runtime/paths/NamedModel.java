package io.knabla.runtime.paths;

import java.util.Optional;

/**
 * A model as a path names it: {@code NAME[/versions/VERSION]}.
 *
 * @param rest of the path; begins with a slash unless it is empty
 */
record NamedModel(String name, Optional<String> version, String rest) {
    private static final String PREDICT = ":predict";

    /** Reads the part of a path from {@code from}, inclusive, to {@code to}, exclusive. */
    static NamedModel read(String path, int from, int to) {
        int end = slashOrEnd(path, from, to);
        String name = path.substring(from, end);
        if (!path.startsWith(ModelAction.VERSIONS, end)) {
            return new NamedModel(name, Optional.empty(), path.substring(end, to));
        }
        int begin = end + ModelAction.VERSIONS.length();
        int last = slashOrEnd(path, begin, to);
        return new NamedModel(name, Optional.of(path.substring(begin, last)), path.substring(last, to));
    }

    /** {@code /v1/models/NAME[/versions/VERSION][:predict]}. */
    static ProtocolPath ofV1(String path) {
        boolean call = path.endsWith(PREDICT);
        var named = read(path, ModelAction.V1_MODELS.length(), path.length() - (call ? PREDICT.length() : 0));
        // Another verb after a colon, such as :explain, is none that a model's name could end with.
        boolean known = named.isWhole() && !named.name.contains(":");
        return known
                ? new ProtocolPath.OfModel(named.name, named.version, call ? ModelAction.PREDICT : ModelAction.READY)
                : new ProtocolPath.Unknown();
    }

    /** {@code /v2/repository/models/NAME/load} and {@code unload}, which know no versions. */
    static ProtocolPath ofRepository(String path) {
        var named = read(path, ModelAction.REPOSITORY.length(), path.length());
        return named.version.isPresent() ? new ProtocolPath.Unknown() : named.target(ModelAction.REPOSITORY);
    }

    ProtocolPath target(String root) {
        ModelAction action = ModelAction.of(root, rest.equals("/") ? "" : rest);
        return action == null ? new ProtocolPath.Unknown() : new ProtocolPath.OfModel(name, version, action);
    }

    private boolean isWhole() {
        return rest.isEmpty() || rest.equals("/");
    }

    private static int slashOrEnd(String text, int from, int to) {
        int slash = text.indexOf('/', from);
        return slash < 0 || slash > to ? to : slash;
    }
}
