package io.knabla.controller.knative.status;

/** Detects that a replica cannot be created or started because an object such as a Secret is missing. */
public final class MissingObjects {
    private MissingObjects() {}

    public static boolean preventPods(FunctionSnapshot seen) {
        return seen.pods().stream().anyMatch(Containers::lacksObjects)
                || seen.revisions().stream().anyMatch(Revisions::lacksPods);
    }
}
