package io.knabla.controller.race;

import io.knabla.storage.s3.S3Server;
import io.knabla.storage.s3.proxy.FaultProxy;
import io.knabla.storage.s3.proxy.SeededFaults;
import io.knabla.storage.s3.proxy.SeededFaults.Kind;
import io.knabla.storage.s3.servers.RealServer;
import io.knabla.storage.thorough.Thorough;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Repeats {@link CatalogRaceTest} on third-party S3 servers, and with network faults. */
class CatalogRaceOnRealServers {
    private static final int UPDATES = Thorough.count("knabla.races", 1_000, 10_000);
    private static final long SEED = Long.getLong("knabla.faults.seed", System.nanoTime());
    private static final List<Kind> KINDS =
            Arrays.stream(Kind.values()).filter(kind -> kind != Kind.RACE).toList();

    @TempDir
    Path folder;

    @ParameterizedTest
    @EnumSource
    void isLinearizableForTwoControllers(RealServer which) throws Exception {
        S3Server server = which.shared();
        // The full number of updates only on the fastest server: on all three it would take half of a CI run.
        int updates = which == RealServer.VERSITY ? UPDATES : UPDATES / 5;
        report(which, race(server).run(updates, server.environment(), server.environment()));
    }

    @ParameterizedTest
    @EnumSource
    void isLinearizableWhenResponsesAreLost(RealServer which) throws Exception {
        S3Server server = which.shared();
        System.out.printf("race test: seed %d (-Dknabla.faults.seed)%n", SEED);
        try (var proxy = FaultProxy.start(server.endpoint(), new SeededFaults(SEED, 0.05, KINDS))) {
            Map<String, String> through = new HashMap<>(server.environment());
            through.put("KNABLA_S3_ENDPOINT", proxy.endpoint().toString());
            through.put("KNABLA_S3_ATTEMPTS", "2");
            through.put("KNABLA_S3_REQUEST_TIMEOUT", SeededFaults.CLIENT_TIMEOUT.toSeconds() + "s");
            report(which, race(server).run(UPDATES / 20, through, server.environment()));
        }
    }

    private Race race(S3Server server) {
        return new Race(folder, "s3://" + server.newBucket() + "/race");
    }

    private static void report(RealServer which, String found) {
        System.out.println("race test: " + which.title() + ": " + found);
    }
}
