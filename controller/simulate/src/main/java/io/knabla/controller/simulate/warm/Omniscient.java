package io.knabla.controller.simulate.warm;

import io.knabla.controller.simulate.warm.trace.FunctionTrace;
import io.knabla.controller.simulate.warm.trace.Trace;
import io.knabla.controller.warm.policy.Decision;
import io.knabla.controller.warm.policy.FixedPolicy;
import io.knabla.controller.warm.policy.FunctionPolicy;
import io.knabla.controller.warm.policy.FunctionProfile;
import io.knabla.controller.warm.policy.Reason;
import io.knabla.controller.warm.policy.SavedState;
import io.knabla.controller.warm.policy.WarmPolicy;
import io.knabla.controller.warm.policy.Window;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A bound, as it knows the trace: each replica is ready when its next request comes, and held in between only where
 * that costs less than to start it again. Only the first request of each replica is cold.
 */
final class Omniscient implements WarmPolicy {
    private static final String NAME = "Omniscient";

    private final Map<String, FunctionTrace> traces;
    private final int concurrency;

    Omniscient(Trace trace, int concurrency) {
        this.traces = trace.functions().stream().collect(Collectors.toMap(FunctionTrace::name, Function.identity()));
        this.concurrency = concurrency;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public FunctionPolicy forFunction(FunctionProfile profile) {
        FunctionTrace trace = traces.get(profile.name());
        return trace == null
                ? FixedPolicy.never()
                : new Known(busySince(trace), Math.round(1e3 * profile.start().seconds()));
    }

    /** For each replica, when it gets a request while it has none: the lowest free one takes each. */
    private List<List<Long>> busySince(FunctionTrace trace) {
        List<List<Long>> since = new ArrayList<>();
        List<List<Long>> ends = new ArrayList<>();
        for (int i = 0; i < trace.size(); i++) {
            long now = trace.startMillis()[i];
            ends.forEach(running -> running.removeIf(end -> end <= now));
            int replica = 0;
            while (replica < ends.size() && ends.get(replica).size() >= concurrency) {
                replica++;
            }
            if (replica == ends.size()) {
                ends.add(new ArrayList<>());
                since.add(new ArrayList<>());
            }
            if (ends.get(replica).isEmpty()) {
                since.get(replica).add(now);
            }
            ends.get(replica).add(now + trace.durationMillis()[i]);
        }
        return since;
    }

    private record Known(List<List<Long>> since, int[] next, long loadMillis) implements FunctionPolicy {
        Known(List<List<Long>> since, long loadMillis) {
            this(since, new int[since.size()], loadMillis);
        }

        @Override
        public void started(int replica, long now) {
            next[replica]++;
        }

        @Override
        public void ended(int replica, long now) {}

        @Override
        public Decision decide(int replica, long now) {
            if (next[replica] == since.get(replica).size()) {
                return new Decision(List.of(), Reason.NOT_WORTH_KEEPING);
            }
            long request = since.get(replica).get(next[replica]);
            return request - now <= loadMillis
                    ? new Decision(List.of(new Window(now, request)), Reason.WORTH_KEEPING)
                    : new Decision(List.of(new Window(request, request)), Reason.WORTH_PRE_WARMING);
        }

        @Override
        public SavedState state() {
            return new SavedState(SavedState.VERSION, NAME, new double[0]);
        }

        @Override
        public boolean restore(SavedState state) {
            return false;
        }
    }
}
