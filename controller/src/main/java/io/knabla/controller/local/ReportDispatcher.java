package io.knabla.controller.local;

import static java.lang.System.Logger.Level.WARNING;

import io.knabla.controller.local.usage.LocalUsage;
import io.knabla.controller.platform.GpuError;
import io.knabla.functions.unit.usage.ReplicaTotals;
import java.util.function.BiConsumer;
import java.util.function.ObjIntConsumer;

/** Dispatches the reports of replicas (usage, utilization, GPU errors) to their listeners. Thread-safe. */
final class ReportDispatcher {
    private static final System.Logger LOG = System.getLogger(ReportDispatcher.class.getName());

    private final LocalUsage usage;
    private volatile BiConsumer<String, GpuError> onGpuError = (_, _) -> {};
    private volatile ObjIntConsumer<String> onUtilization = (_, _) -> {};

    ReportDispatcher(LocalUsage usage) {
        this.usage = usage;
    }

    /** @param listener gets the node and the error */
    void onGpuError(BiConsumer<String, GpuError> listener) {
        onGpuError = listener;
    }

    /** @param listener gets the replica and its utilization in percent */
    void onUtilization(ObjIntConsumer<String> listener) {
        onUtilization = listener;
    }

    void dispatch(String replica, String node, ReplicaEvent.Report report) {
        switch (report) {
            case ReplicaEvent.Usage(ReplicaTotals totals) -> usage.reported(replica, totals);
            case ReplicaEvent.Utilization(int percent) -> onUtilization.accept(replica, percent);
            case ReplicaEvent.GpuFailed(GpuError error) -> {
                LOG.log(WARNING, "the GPU of node {0}, Xid {1}: {2}", node, error.xid(), error.meaning());
                onGpuError.accept(node, error);
            }
        }
    }
}
