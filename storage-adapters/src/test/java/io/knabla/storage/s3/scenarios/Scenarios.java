package io.knabla.storage.s3.scenarios;

import io.knabla.storage.s3.S3Server;
import io.knabla.storage.s3.proxy.SeededFaults.Kind;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Runs many scenarios on one server concurrently, because they mostly wait for retries. */
final class Scenarios {
    private static final int AT_ONCE = 12;

    /** @param problems with the seeds to reproduce them */
    record Summary(int scenarios, int operations, long unknown, Map<Kind, Integer> faults, List<String> problems) {
        @Override
        public String toString() {
            return "%d scenarios, %d operations, %d of unknown outcome, faults %s, %d problems"
                    .formatted(scenarios, operations, unknown, faults, problems.size());
        }
    }

    private Scenarios() {}

    /** @param seed seed of the first scenario; the others count up from it */
    static Summary run(S3Server server, long seed, int count) throws Exception {
        String bucket = server.newBucket();
        List<Future<Scenario.Result>> running = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE)) {
            for (int i = 0; i < count; i++) {
                var scenario = new Scenario(server, bucket, seed + i);
                running.add(threads.submit(scenario::run));
            }
        }
        int operations = 0;
        long unknown = 0;
        Map<Kind, Integer> faults = new EnumMap<>(Kind.class);
        List<String> problems = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Scenario.Result result = running.get(i).get();
            operations += result.operations();
            unknown += result.unknown();
            result.faults().forEach((kind, n) -> faults.merge(kind, n, Integer::sum));
            for (String problem : result.problems()) {
                problems.add("-Dknabla.faults.seed=%d -Dknabla.faults.scenarios=1: %s".formatted(seed + i, problem));
            }
        }
        return new Summary(count, operations, unknown, faults, problems);
    }
}
