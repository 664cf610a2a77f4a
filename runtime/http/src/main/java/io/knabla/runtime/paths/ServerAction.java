package io.knabla.runtime.paths;

/**
 * An operation on a server as a whole, with its method and path: of the Open Inference Protocol, and of KServe's V1
 * protocol.
 */
public enum ServerAction {
    METADATA("GET", "/v2"),
    LIVE("GET", "/v2/health/live"),
    READY("GET", "/v2/health/ready"),
    STATISTICS("GET", "/v2/models/stats"),
    INDEX("POST", "/v2/repository/index"),
    V1_MODELS("GET", "/v1/models");

    private static final ServerAction[] ALL = values();

    private final String method;
    private final String path;

    ServerAction(String method, String path) {
        this.method = method;
        this.path = path;
    }

    /** The action at {@code path}; null if it is none of these. */
    public static ServerAction of(String path) {
        for (ServerAction action : ALL) {
            if (action.path.equals(path)) {
                return action;
            }
        }
        return path.equals("/v2/") ? METADATA : null;
    }

    /** The one method that is allowed: GET or POST. */
    public String method() {
        return method;
    }

    public String path() {
        return path;
    }
}
