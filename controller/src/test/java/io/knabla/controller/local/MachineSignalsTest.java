package io.knabla.controller.local;

import static io.knabla.controller.standin.AwaitSupport.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.knabla.controller.platform.CapacitySignals;
import io.knabla.controller.spot.signal.CapacitySignal.Kind;
import io.knabla.controller.standin.StandInCluster;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The metadata service is found as the SDK finds it; here it announces the end of its instance. */
class MachineSignalsTest {
    private static final String ENDPOINT = "aws.ec2MetadataServiceEndpoint";

    @TempDir
    Path home;

    @Test
    void allSpotNodesOfAMachineThatIsTakenBackAreWarned() throws Exception {
        HttpServer service = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        service.createContext("/", MachineSignalsTest::answer);
        service.start();
        System.setProperty(ENDPOINT, "http://127.0.0.1:" + service.getAddress().getPort());
        var signals = new CapacitySignals();
        try (var cluster = StandInCluster.open(home);
                var machine = new MachineSignals(true, cluster, signals)) {
            machine.start();
            await().until(() -> signals.of("spot").isPresent());
            assertThat(signals.of("spot").orElseThrow().kind()).isEqualTo(Kind.INTERRUPTION_WARNING);
            assertThat(signals.of("od")).isEmpty();
        } finally {
            System.clearProperty(ENDPOINT);
            service.stop(0);
        }
    }

    private static void answer(HttpExchange exchange) throws IOException {
        String body = exchange.getRequestURI().getPath().endsWith("instance-action")
                ? "{\"action\": \"terminate\", \"time\": \"2026-08-26T14:12:05Z\"}"
                : "token";
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("x-aws-ec2-metadata-token-ttl-seconds", "21600");
        exchange.sendResponseHeaders(200, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }
}
