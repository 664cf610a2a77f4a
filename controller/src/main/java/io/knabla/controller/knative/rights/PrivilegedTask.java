package io.knabla.controller.knative.rights;

import io.knabla.controller.knative.calls.ApiCall;
import java.util.List;

/**
 * A task of the controller that needs rights of its service account, and without which functions still run. A condition
 * of the Functions is False while one of the task's calls is refused. Without the other rights nothing is reconciled,
 * which {@code Placed} says.
 */
public enum PrivilegedTask {
    /** Moves replicas off nodes; without the reading of Leases a node is only lost later. */
    MOVE(
            "InterruptionsHandled",
            "so replicas stay on nodes that are taken back until these end",
            "replicas leave spot nodes that are taken back",
            List.of(
                    new ApiCall("get", "", "nodes"),
                    new ApiCall("patch", "", "nodes"),
                    new ApiCall("create", "", "pods/eviction"),
                    new ApiCall("create", "policy", "poddisruptionbudgets"),
                    new ApiCall("delete", "policy", "poddisruptionbudgets"))),
    /** Records in the usage when and why nodes and pods ended. */
    RECORD_ENDS(
            "UsageRecorded",
            "so usage may count a node that was taken back as released, and replicas for longer than they ran",
            "usage tells when and why nodes and replicas ended",
            List.of(new ApiCall("list", "events.k8s.io", "events"))),
    READ_LOGS(
            "LogsReadable",
            "so './knabla logs' shows no line of the function's replicas",
            "logs of the function's replicas can be read",
            List.of(new ApiCall("get", "", "pods/log")));

    private final String condition;
    private final String undone;
    private final String done;
    private final List<ApiCall> calls;

    PrivilegedTask(String condition, String undone, String done, List<ApiCall> calls) {
        this.condition = condition;
        this.undone = undone;
        this.done = done;
        this.calls = calls;
    }

    /** Type of the condition. */
    public String condition() {
        return condition;
    }

    /** What follows from a refused call, as a clause that begins with "so". */
    public String undone() {
        return undone;
    }

    /** What holds while no call is refused. */
    public String done() {
        return done;
    }

    List<ApiCall> calls() {
        return calls;
    }
}
