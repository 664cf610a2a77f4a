package io.knabla.bench.machine;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.random.RandomGenerator;

/** Finds free ports to pass to a child before it starts. */
public final class Ports {
    // Below Linux' ephemeral range: a client that polls a port in that range can connect to itself.
    private static final int FIRST = 20_000;
    private static final int COUNT = 12_000;

    private Ports() {}

    public static int free(RandomGenerator random) {
        for (int attempt = 0; attempt < 200; attempt++) {
            int port = FIRST + random.nextInt(COUNT);
            try (var probe = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return probe.getLocalPort();
            } catch (IOException taken) {
                continue;
            }
        }
        throw new IllegalStateException(
                "no free port found in %d..%d; end what listens there".formatted(FIRST, FIRST + COUNT - 1));
    }
}
