package io.knabla.bench.serve;

import io.knabla.bench.load.ClosedLoop;
import io.knabla.bench.load.LoadResult;
import io.knabla.bench.machine.ForeignCpu;
import io.knabla.bench.wire.Call;
import java.time.Duration;
import java.util.function.DoubleSupplier;

/** A target of the load generator that processes as many requests as it can in a window. */
interface LoadTarget {
    TargetId player();

    Window run(Duration window);

    /**
     * A server under load over keep-alive connections.
     *
     * @param cpuMillis CPU time so far of the processes that are measured
     * @param helperMillis CPU time so far of processes that serve too but are not measured
     */
    record ServerTarget(
            TargetId player, Call call, int connections, DoubleSupplier cpuMillis, DoubleSupplier helperMillis)
            implements LoadTarget {
        ServerTarget(TargetId player, Call call, int connections, DoubleSupplier cpuMillis) {
            this(player, call, connections, cpuMillis, () -> 0);
        }

        @Override
        public Window run(Duration window) {
            ForeignCpu others = ForeignCpu.watch();
            double before = cpuMillis.getAsDouble();
            double helpersBefore = helperMillis.getAsDouble();
            LoadResult result = ClosedLoop.run(call, connections, window);
            double used = cpuMillis.getAsDouble() - before;
            double helped = helperMillis.getAsDouble() - helpersBefore;
            return Window.of(result, used, others.share(used + helped));
        }
    }
}
