package io.knabla.runtime.paths;

/**
 * An operation on one model, with its method and path: of the Open Inference Protocol, of KServe's V1 protocol, and of
 * Triton's extension for model repositories.
 */
public enum ModelAction {
    METADATA("GET", ModelAction.MODELS, ""),
    READY("GET", ModelAction.MODELS, "/ready"),
    CONFIG("GET", ModelAction.MODELS, "/config"),
    STATISTICS("GET", ModelAction.MODELS, "/stats"),
    INFER("POST", ModelAction.MODELS, "/infer"),
    PREDICT("POST", ModelAction.V1_MODELS, ":predict"),
    LOAD("POST", ModelAction.REPOSITORY, "/load"),
    UNLOAD("POST", ModelAction.REPOSITORY, "/unload");

    static final String MODELS = "/v2/models/";
    static final String V1_MODELS = "/v1/models/";
    static final String REPOSITORY = "/v2/repository/models/";
    static final String VERSIONS = "/versions/";

    private static final ModelAction[] ALL = values();

    private final String method;
    private final String root;
    private final String suffix;

    ModelAction(String method, String root, String suffix) {
        this.method = method;
        this.root = root;
        this.suffix = suffix;
    }

    /** The action with this suffix among those below {@code root}; null if there is none. */
    static ModelAction of(String root, String suffix) {
        for (ModelAction action : ALL) {
            if (action.root.equals(root) && action.suffix.equals(suffix)) {
                return action;
            }
        }
        return null;
    }

    /** The one method that is allowed: GET or POST. */
    public String method() {
        return method;
    }

    /** The path of this action for a model, of whose versions the server chooses one. */
    public String path(String model) {
        return root + model + suffix;
    }

    /** The path of this action for one version of a model. */
    public String path(String model, String version) {
        return root + model + VERSIONS + version + suffix;
    }

    /** The path that tells whether a model is ready in KServe's V1 protocol. */
    public static String v1Ready(String model) {
        return V1_MODELS + model;
    }
}
