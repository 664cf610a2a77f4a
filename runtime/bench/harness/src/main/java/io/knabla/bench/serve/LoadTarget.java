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
     * @param cpuMillis CPU time of the server's processes so far
     */
    record ServerTarget(TargetId player, Call call, int connections, DoubleSupplier cpuMillis) implements LoadTarget {
        @Override
        public Window run(Duration window) {
            ForeignCpu others = ForeignCpu.watch();
            double before = cpuMillis.getAsDouble();
            LoadResult result = ClosedLoop.run(call, connections, window);
            double used = cpuMillis.getAsDouble() - before;
            return Window.of(result, used, others.share(used));
        }
    }
}
