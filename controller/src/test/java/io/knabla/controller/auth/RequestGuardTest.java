package io.knabla.controller.auth;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.aggregator.ArgumentsAccessor;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RequestGuardTest {
    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
            # what                        | bound     | method | host                    | origin                   | site        | mode     | status
            a program                     | 127.0.0.1 | POST   | 127.0.0.1:8080          | -                        | -           | -        | 0
            by name                       | 127.0.0.1 | POST   | localhost:8080          | -                        | -           | -        | 0
            by name with a dot            | 127.0.0.1 | POST   | LocalHost.:8080         | -                        | -           | -        | 0
            IPv6                          | ::1       | GET    | [::1]:8080              | -                        | -           | -        | 0
            a function's host             | 127.0.0.1 | GET    | digits.a.localhost:8080 | -                        | -           | -        | 0
            the bound host                | 10.0.0.7  | GET    | 10.0.0.7:8080           | -                        | -           | -        | 0
            rebinding                     | 127.0.0.1 | GET    | evil.example            | -                        | -           | -        | 403
            a name that only looks local  | 127.0.0.1 | GET    | localhost.evil.example  | -                        | -           | -        | 403
            no dot before localhost       | 127.0.0.1 | GET    | evillocalhost           | -                        | -           | -        | 403
            an address that looks local   | 127.0.0.1 | GET    | 127.0.0.1.evil.example  | -                        | -           | -        | 403
            everywhere, no token          | 0.0.0.0   | GET    | 10.0.0.7                | -                        | -           | -        | 403
            nonsense                      | 127.0.0.1 | GET    | localhost:80:80         | -                        | -           | -        | 400
            user in the host              | 127.0.0.1 | GET    | a@127.0.0.1             | -                        | -           | -        | 403
            own page                      | 127.0.0.1 | POST   | localhost:8080          | http://localhost:8080    | same-origin | cors     | 0
            foreign page                  | 127.0.0.1 | POST   | localhost:8080          | http://evil.example      | cross-site  | cors     | 403
            foreign page, old browser     | 127.0.0.1 | POST   | localhost:8080          | http://evil.example      | -           | -        | 403
            sandboxed page                | 127.0.0.1 | POST   | localhost:8080          | null                     | -           | -        | 403
            other port                    | 127.0.0.1 | POST   | localhost:8080          | http://localhost:3000    | same-site   | cors     | 403
            image on a foreign page       | 127.0.0.1 | GET    | localhost:8080          | -                        | cross-site  | no-cors  | 403
            link on a foreign page        | 127.0.0.1 | GET    | localhost:8080          | -                        | cross-site  | navigate | 0
            form on a foreign page        | 127.0.0.1 | POST   | localhost:8080          | -                        | cross-site  | navigate | 403
            address typed in              | 127.0.0.1 | GET    | localhost:8080          | -                        | none        | navigate | 0
            """)
    void decidesByHostAndOrigin(ArgumentsAccessor row) {
        var request = new RequestGuard.Request(
                row.getString(2),
                "/api/v1/functions",
                List.of(row.getString(3)),
                Optional.ofNullable(row.getString(4)),
                Optional.ofNullable(row.getString(5)),
                Optional.ofNullable(row.getString(6)),
                Optional.empty());

        var refusal = new RequestGuard(row.getString(1), Optional.empty()).check(request);

        assertThat(refusal.map(RequestGuard.Refusal::status).orElse(0)).isEqualTo(row.getInteger(7));
    }

    @ParameterizedTest(name = "{0} {1}")
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
            /api/v1/functions  | -               | 401
            /v2/models/x/infer | -               | 401
            /q/metrics         | -               | 401
            /q/health          | -               | 401
            /q/health/live     | -               | 0
            /q/health/ready    | -               | 0
            /q/health/ready/x  | -               | 401
            /functions/a/b/../../../q/health/live | - | 401
            /v2/../q/health/live | -             | 401
            /api/v1/functions  | Bearer secret   | 0
            /api/v1/functions  | bearer  secret  | 0
            /api/v1/functions  | Bearer Secret   | 401
            /api/v1/functions  | Bearer secre    | 401
            /api/v1/functions  | Bearer          | 401
            /api/v1/functions  | Basic secret    | 401
            /api/v1/functions  | secret          | 401
            # base64 of any:secret, :secret, secret, any:Secret, any:se:ret
            /costs             | Basic YW55OnNlY3JldA== | 0
            /costs             | basic  OnNlY3JldA==    | 0
            /costs             | Basic c2VjcmV0         | 401
            /costs             | Basic YW55OlNlY3JldA== | 401
            /costs             | Basic YW55OnNlOnJldA== | 401
            /costs             | Basic %                | 401
            /costs             | Bearer secret          | 0
            /api/v1/costs      | Basic YW55OnNlY3JldA== | 0
            /api/v1/costs/now  | Basic YW55OnNlY3JldA== | 401
            /api/v1/functions  | Basic YW55OnNlY3JldA== | 401
            /assets/0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef | Basic YW55OnNlY3JldA== | 0
            /assets/0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef | -                      | 401
            /assets/0123456789abcdef  | Basic YW55OnNlY3JldA== | 401
            /assets/../api/v1/functions | Basic YW55OnNlY3JldA== | 401
            """)
    void requiresTheConfiguredToken(String path, String authorization, int status) {
        var refusal = new RequestGuard("0.0.0.0", Optional.of("secret"))
                .check(new RequestGuard.Request(
                        "GET",
                        path,
                        List.of("machine.example:8080"),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.ofNullable(authorization)));

        assertThat(refusal.map(RequestGuard.Refusal::status).orElse(0)).isEqualTo(status);
    }

    private static RequestGuard.Refusal refusal(String method, String host, String path, String authorization) {
        return new RequestGuard("0.0.0.0", Optional.of("secret"))
                .check(new RequestGuard.Request(
                        method,
                        path,
                        List.of(host),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.of(authorization)))
                .orElseThrow();
    }

    @ParameterizedTest(name = "{0} {1} {2}")
    @CsvSource(delimiter = '|', textBlock = """
            machine | /functions/default/reader/prefix-blocks | Bearer key    | 0
            machine | /functions/default/reader/prefix-blocks | Bearer secret | 0
            machine | /functions/default/reader/prefix-blocks | Bearer other  | 401
            machine | /functions/default/reader/prefix-blocks | Basic a2V5OmtleQ== | 401
            machine | /functions/default/reader/v1/completions | Bearer key   | 401
            machine | /functions/default/../prefix-blocks/prefix-blocks | Bearer key | 401
            machine | /prefix-blocks                          | Bearer key    | 401
            machine | /api/v1/functions                       | Bearer key    | 401
            digits.default.localhost | /functions/default/reader/prefix-blocks | Bearer key | 401
            """)
    void theKeyOfReplicasOpensOnePathOnly(String host, String path, String authorization, int status) {
        var guard = new RequestGuard("0.0.0.0", Optional.of("secret"), CrossOrigin.NONE, Optional.of("key"));
        var refusal = guard.check(new RequestGuard.Request(
                "POST",
                path,
                List.of(host),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.of(authorization)));

        assertThat(refusal.map(RequestGuard.Refusal::status).orElse(0)).isEqualTo(status);
    }

    /** Browsers send a password again by themselves, so it opens nothing that changes anything. */
    @Test
    void aPasswordOnlyReadsCosts() {
        String right = "Basic YW55OnNlY3JldA==";

        assertThat(refusal("POST", "machine", "/api/v1/costs", right).status()).isEqualTo(401);
        assertThat(refusal("POST", "machine", "/costs", right).status()).isEqualTo(401);
        assertThat(refusal("GET", "digits.default.localhost", "/costs", right).status())
                .isEqualTo(401);
    }

    @Test
    void onlyThePageMakesBrowsersAskForAPassword() {
        assertThat(refusal("GET", "machine", "/costs", "").challenge())
                .get()
                .asString()
                .startsWith("Basic realm=");
        assertThat(refusal("GET", "machine", "/costs", "Basic x").challenge())
                .get()
                .asString()
                .startsWith("Basic realm=");
        for (String path : List.of("/api/v1/costs", "/api/v1/functions", "/functions/a/costs/costs")) {
            assertThat(refusal("GET", "machine", path, "").challenge()).contains("Bearer realm=\"knabla\"");
        }
        assertThat(refusal("GET", "digits.default.localhost", "/costs", "").challenge())
                .contains("Bearer realm=\"knabla\"");
        assertThat(new RequestGuard("127.0.0.1", Optional.empty())
                        .check(new RequestGuard.Request(
                                "GET",
                                "/costs",
                                List.of("evil.example"),
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty())))
                .map(RequestGuard.Refusal::challenge)
                .contains(Optional.empty());
    }

    /** Below the host of a function, the path belongs to the function and would start a replica. */
    @Test
    void requiresTheTokenForHealthPathsOfAFunctionHost() {
        var request = new RequestGuard.Request(
                "GET",
                "/q/health/live",
                List.of("digits.default.localhost:8080"),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());

        assertThat(new RequestGuard("0.0.0.0", Optional.of("secret")).check(request))
                .map(RequestGuard.Refusal::status)
                .contains(401);
    }

    @Test
    void requiresExactlyOneHostHeader() {
        for (List<String> hosts : List.of(List.<String>of(), List.of("localhost", "localhost"))) {
            var request = new RequestGuard.Request(
                    "GET", "/", hosts, Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
            assertThat(new RequestGuard("127.0.0.1", Optional.empty()).check(request))
                    .map(RequestGuard.Refusal::status)
                    .contains(400);
        }
    }

    @Test
    void processesOfThisMachineReachAServerThatListensEverywhere() {
        assertThat(Addresses.ownUrl("0.0.0.0", 80)).isEqualTo("http://127.0.0.1:80");
        assertThat(Addresses.ownUrl("::", 80)).isEqualTo("http://127.0.0.1:80");
        assertThat(Addresses.ownUrl("::1", 80)).isEqualTo("http://[::1]:80");
        assertThat(Addresses.ownUrl("10.0.0.7", 80)).isEqualTo("http://10.0.0.7:80");
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "127.1.2.3", "localhost", "::1", "[::1]", "LOCALHOST"})
    void requiresNoTokenOnALoopbackHost(String host) {
        assertThat(Addresses.refusal(host, Optional.empty())).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0", "::", "10.0.0.7", "example.com", "127.0.0.1.example.com"})
    void requiresATokenOnOtherHosts(String host) {
        assertThat(Addresses.refusal(host, Optional.empty())).get().asString().contains("KNABLA_TOKEN");
        assertThat(Addresses.refusal(host, Optional.of(" "))).isPresent();
        assertThat(Addresses.refusal(host, Optional.of("secret"))).isEmpty();
    }
}
