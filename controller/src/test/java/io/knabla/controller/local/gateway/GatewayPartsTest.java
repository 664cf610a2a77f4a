package io.knabla.controller.local.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.knabla.controller.platform.Replica;
import io.knabla.controller.standin.Specs;
import io.knabla.runtime.http.HttpHeaders;
import io.knabla.runtime.http.HttpRequest;
import java.net.URI;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the gateway's pure parts. */
class GatewayPartsTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            localhost:8080            | /v2                                | OfServer[root=null, what=METADATA]
            localhost:8080            | /v2/health/live                    | OfServer[root=null, what=LIVE]
            localhost                 | /v2/health/ready                   | OfServer[root=null, what=READY]
            127.0.0.1:80              | /v2/repository/index               | OfServer[root=null, what=INDEX]
            localhost                 | /v2/models/m                       | OfModel[function=default/m, version=OptionalInt.empty, what=METADATA, name=m]
            localhost                 | /v2/models/m/ready                 | OfModel[function=default/m, version=OptionalInt.empty, what=READY, name=m]
            localhost                 | /v2/models/m/infer                 | OfModel[function=default/m, version=OptionalInt.empty, what=INFER, name=m]
            localhost                 | /v2/models/m/versions/12/infer     | OfModel[function=default/m, version=OptionalInt[12], what=INFER, name=m]
            localhost                 | /functions/ns/m                    | OfModel[function=ns/m, version=OptionalInt.empty, what=METADATA, name=]
            localhost                 | /functions/ns/m/                   | OfModel[function=ns/m, version=OptionalInt.empty, what=METADATA, name=]
            localhost                 | /functions/ns/m/v2/health/ready    | OfModel[function=ns/m, version=OptionalInt.empty, what=READY, name=]
            localhost                 | /functions/ns/m/v2/models/m/infer  | OfModel[function=ns/m, version=OptionalInt.empty, what=INFER, name=m]
            localhost                 | /functions/ns/m/apply              | OfReplica[function=ns/m, path=/apply]
            m.ns.localhost:8080       | /v2/models/m/infer                 | OfModel[function=ns/m, version=OptionalInt.empty, what=INFER, name=m]
            M.NS.LocalHost            | /v2/models/m/infer                 | OfModel[function=ns/m, version=OptionalInt.empty, what=INFER, name=m]
            m.ns.localhost            | /                                  | OfModel[function=ns/m, version=OptionalInt.empty, what=METADATA, name=]
            m.ns.localhost            | /health                            | OfReplica[function=ns/m, path=/health]
            """)
    void parsesRequestLines(String host, String path, String target) {
        assertThat(RequestTarget.of(host, path)).hasToString(target);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\0', textBlock = """
            /v2/nothing                        | nothing is at /v2/nothing
            /v2/models/m/unload                | nothing is at
            /v2/models/m/versions/x/infer      | 'x' is not a version
            /v2/models/m/versions/0            | '0' is not a version
            /v2/models/m/versions/99999999999  | is not a version
            /functions/ns                      | /functions/NAMESPACE/NAME/
            """)
    void explainsUnknownPaths(String path, String message) {
        assertThat(RequestTarget.of("localhost", path))
                .isInstanceOfSatisfying(
                        RequestTarget.NotFound.class,
                        nothing -> assertThat(nothing.message()).contains(message));
    }

    @ParameterizedTest
    @CsvSource({
        "localhost",
        "localhost:80",
        "ns.localhost",
        "a.b.c.localhost",
        ".ns.localhost",
        "m..localhost",
        "m.ns.localhost.evil.org",
        "example.org",
        "''",
        "[::1]:80"
    })
    void ignoresOtherHosts(String host) {
        assertThat(RequestTarget.isFunctionHost(host)).isFalse();
    }

    @Property
    void theSplitGivesEachVersionItsShare(
            @ForAll @IntRange(max = 100) int first, @ForAll @IntRange(min = 1, max = 100) int second) {
        TrafficSplit split = new TrafficSplit(Map.of(1, first, 2, second, 3, 0));
        int[] got = new int[4];
        for (int drawn = 0; drawn < split.total(); drawn++) {
            got[split.choose(drawn)]++;
        }

        assertThat(got).containsExactly(0, first, second, 0);
        assertThat(split.single()).isEqualTo(first == 0);
    }

    @Test
    void aSplitWithoutTrafficIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> new TrafficSplit(Map.of(1, 0)));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
            0.4 | false | queue;dur=0.1, infer;dur=3 | queue;dur=0.1, infer;dur=3
            0.4 | false | -                          | -
            5   | false | queue;dur=1, infer;dur=3   | queue;dur=6.0, infer;dur=3
            5   | false | -                          | queue;dur=5.0
            100 | true  | queue;dur=1, infer;dur=3   | queue;dur=5.0, place;dur=2.0, fetch;dur=0.0, boot;dur=90.0, load;dur=4.0, infer;dur=3
            10  | true  | infer;dur=x                | queue;dur=0.0, place;dur=2.0, fetch;dur=0.0, boot;dur=90.0, load;dur=4.0, infer;dur=x
            """)
    void mergesTimings(double waited, boolean cold, String replicas, String joined) {
        Map<String, Double> phases = cold ? Map.of("place", 2.0, "fetch", 0.0, "boot", 90.0, "load", 4.0) : Map.of();

        assertThat(ServerTiming.merge(waited, phases, replicas)).isEqualTo(joined);
    }

    @Test
    void credentialsEndAtTheGateway() {
        var from = HttpHeaders.of(
                "Host", "h",
                "Authorization", "Bearer secret",
                "knabla-replica-token", "forged",
                "Connection", "close",
                "Content-Type", "application/json",
                "x-request-id", "a b",
                "tracestate", "a=b",
                "traceparent", "00-1");
        var replica = new Replica(
                "digits-v1-0",
                Specs.id("digits"),
                1,
                Optional.empty(),
                "node",
                Replica.State.READY,
                Optional.of(URI.create("http://127.0.0.1:7")),
                "own",
                Map.of(),
                Instant.EPOCH,
                "ready",
                Replica.Failure.UNSPECIFIED,
                Replica.Start.COLD);

        var request = HttpRequest.of("POST", "/", from, new byte[0], 0, 0);

        assertThat(Headers.forReplica(request, new Endpoint(replica)).toString().lines())
                .satisfiesExactly(
                        line -> assertThat(line).isEqualTo("Host: 127.0.0.1:7"),
                        line -> assertThat(line).isEqualTo("Content-Type: application/json"),
                        line -> assertThat(line).matches("X-Request-Id: [0-9a-f]{32}"),
                        line -> assertThat(line).matches("traceparent: 00-[0-9a-f]{32}-[0-9a-f]{16}-00"),
                        line -> assertThat(line).isEqualTo("Knabla-Replica-Token: own"));
    }

    @Test
    void theGatewaysHeadersReplaceTheReplicas() {
        var from = HttpHeaders.of(
                "knabla-version",
                "9",
                "Knabla-Start",
                "cold",
                "server-timing",
                "infer;dur=1",
                "A",
                "b",
                "x-request-id",
                "r",
                "Traceparent",
                "t");

        assertThat(Headers.forClient(from, "queue;dur=2.0").toString().lines())
                .containsExactly("A: b", "Server-Timing: queue;dur=2.0");
    }
}
