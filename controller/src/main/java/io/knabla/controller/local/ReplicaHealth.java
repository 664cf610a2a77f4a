package io.knabla.controller.local;

import io.knabla.controller.local.liveness.CpuTimes;
import io.knabla.controller.local.liveness.ProbedReplica;
import java.net.URI;

/** Gives health probes access to a replica's process. */
record ReplicaHealth(ReplicaProcess process) implements ProbedReplica {
    @Override
    public URI address() {
        return process.replica().address().orElseThrow();
    }

    @Override
    public String token() {
        return process.replica().token();
    }

    @Override
    public CpuTimes cpuTimes() {
        return CpuTimes.of(process.handle());
    }

    @Override
    public boolean probed() {
        return switch (process.replica().state()) {
            case READY, UNRESPONSIVE -> true;
            case STARTING, DRAINING, STOPPED, FAILED -> false;
        };
    }

    @Override
    public void responsive() {
        process.setResponsive(true, "ready");
    }

    @Override
    public void unresponsive(String reason) {
        process.setResponsive(false, reason);
    }

    @Override
    public void killHanging(String reason) {
        process.killHanging(reason);
    }
}
