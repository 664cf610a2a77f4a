package io.knabla.hostile;

import static io.knabla.hostile.Probe.Rule.AT_MOST_ONE;
import static io.knabla.hostile.Probe.Rule.NOT_SERVED;
import static io.knabla.hostile.Probe.Rule.REFUSED;

import java.util.ArrayList;
import java.util.List;

/** Creates requests with heads that are malformed, endless or of another protocol. */
final class HeadProbes {
    private static final String LINE = "GET /v2 HTTP/1.1\r\n";

    private final Target target;
    private final String canary;
    private final List<Probe> probes = new ArrayList<>();

    private HeadProbes(Target target) {
        this.target = target;
        this.canary = target.get("/v2");
    }

    static List<Probe> of(Target target) {
        var all = new HeadProbes(target);
        all.lines();
        all.versions();
        all.targets();
        all.hosts();
        all.headers();
        all.endless();
        return all.probes;
    }

    /** Odd methods, expectations and upgrades. */
    static List<Probe> ofMethods(Target target) {
        var all = new HeadProbes(target);
        all.methods();
        all.expectations();
        all.upgrades();
        return all.probes;
    }

    private void lines() {
        String lf = canary.replace("\r\n", "\n");
        probe("line ends without CR", lf + lf, REFUSED);
        probe("line ends without LF", canary.replace("\r\n", "\r") + canary, REFUSED);
        probe("a header's end without CR", LINE + "X: y\n" + target.headers() + "\r\n" + canary, REFUSED);
        probe("the last line without CR", LINE + target.headers() + "\n" + canary, REFUSED);
        probe("a header's end without LF", LINE + "X: y\r" + target.headers() + "\r\n" + canary, REFUSED);
        probe("a hidden length after CR", target.post("X: y\rContent-Length: 0\r\n") + canary, REFUSED);
        probe("a space before the method", " " + canary, REFUSED);
        probe("two spaces", canary.replace("GET /v2", "GET  /v2"), REFUSED);
        probe("tabs between words", canary.replace("GET /v2 HTTP", "GET\t/v2\tHTTP"), REFUSED);
        probe("no target", canary.replace("GET /v2 ", "GET "), REFUSED);
        probe("four words", canary.replace("GET /v2 ", "GET /v2 /v2 "), REFUSED);
        probe("only LF", "\n\n\n\n", AT_MOST_ONE);
        probe(
                "TLS",
                "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003" + "\u0001".repeat(500),
                REFUSED);
    }

    private void versions() {
        for (String version : List.of(
                "HTTP/1.9",
                "HTTP/1.2",
                "HTTP/2.0",
                "HTTP/2",
                "HTTP/3.0",
                "HTTP/0.9",
                "HTTP/11.1",
                "HTTP/1.10",
                "HTTP/01.1",
                "HTTP/1.1x",
                "http/1.1",
                "HTTP/ 1.1",
                "HTTP/1.1 ",
                "HTTP",
                "HTTP/1,1",
                "ICY/1.1")) {
            probe("version '" + version + "'", canary.replace("HTTP/1.1", version) + canary, REFUSED);
        }
        probe("HTTP/0.9", "GET /v2\r\n\r\n" + canary, REFUSED);
    }

    private void targets() {
        for (String form :
                List.of("127.0.0.1:80", "*", "v2", "?v2", "\\v2", "/v2\u0000", "/v2\u0001", "/v2\u007f", "/a b")) {
            probe("target '" + form + "'", canary.replace("/v2 ", form + " ") + canary, REFUSED);
        }
        for (String form : List.of(
                "http://127.0.0.1:%d/v2".formatted(target.port()),
                "http://evil.example/v2",
                "//evil.example/v2",
                "/v2/../v2",
                "/%2e%2e/v2",
                "/%00",
                "/v2#a",
                "/v2%",
                "/v2;a=b",
                "/v2?a=%zz")) {
            probe("target '" + form + "'", canary.replace("/v2 ", form + " "), AT_MOST_ONE);
        }
        probe("a target of 64 KiB", canary.replace("/v2 ", "/" + "a".repeat(1 << 16) + " "), REFUSED);
    }

    private void hosts() {
        String own = "Host: 127.0.0.1:%d\r\n".formatted(target.port());
        probe("no Host", canary.replace(own, "") + canary, REFUSED);
        probe("two Hosts", canary.replace(own, own + own) + canary, REFUSED);
        probe("two different Hosts", canary.replace(own, own + "Host: evil.example\r\n") + canary, REFUSED);
        for (String host :
                List.of("", "a b", "user@127.0.0.1", "[::1", "127.0.0.1:99999", "127.0.0.1:x", "a/b", "evil.example")) {
            probe("Host '" + host + "'", canary.replace(own, "Host: " + host + "\r\n"), AT_MOST_ONE);
        }
    }

    private void headers() {
        for (String header : List.of(
                "X: a\r\n folded\r\n",
                "X: a\r\n\tfolded\r\n",
                "X:\r\n a\r\n",
                "X : a\r\n",
                "X\t: a\r\n",
                " X: a\r\n",
                ": a\r\n",
                "X\r\n",
                "X Y: a\r\n",
                "X\u0000: a\r\n",
                "X: a\u0000b\r\n",
                "X: a\u0001b\r\n",
                "X: a\u001bb\r\n",
                "X: a\u007fb\r\n",
                "X\u00e9: a\r\n",
                "(X): a\r\n",
                "X[]: a\r\n",
                "\"X\": a\r\n")) {
            probe("header '" + header.strip() + "'", LINE + target.headers() + header + "\r\n" + canary, REFUSED);
        }
        String length = "Content-Length: " + canary.length() + "\r\n";
        probe("a space before a length's colon", target.post(length.replace(":", " :")) + canary, REFUSED);
        probe("a folded length", target.post("X: a\r\n " + length) + canary, REFUSED);
        probe(
                "a space before an encoding's colon",
                target.post("Transfer-Encoding : chunked\r\n") + "0\r\n\r\n" + canary,
                REFUSED);
        probe("a folded encoding", target.post("Transfer-Encoding:\r\n chunked\r\n") + "0\r\n\r\n" + canary, REFUSED);
        probe("a folded first header", LINE + " X: a\r\n" + target.headers() + "\r\n" + canary, REFUSED);
        probe("an octet above 127 in a value", LINE + target.headers() + "X: \u00ff\r\n\r\n", AT_MOST_ONE);
        probe("an empty value", LINE + target.headers() + "X:\r\n\r\n", AT_MOST_ONE);
        probe(
                "a body after a refused call",
                target.get("/no/such/path").replace("GET", "POST").replace("\r\n\r\n", "\r\n" + length + "\r\n")
                        + canary,
                AT_MOST_ONE);
        probe(
                "a body without credentials",
                "POST %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n%s\r\n".formatted(target.infer(), target.port(), length)
                        + canary,
                AT_MOST_ONE);
    }

    private void endless() {
        probe("endless headers", LINE + target.headers() + "X: y\r\n".repeat(1 << 17), REFUSED);
        probe("an endless value", LINE + target.headers() + "X: " + "y".repeat(1 << 20), REFUSED);
        probe("an endless name", LINE + target.headers() + "x".repeat(1 << 20), REFUSED);
        probe("an endless request line", "GET /" + "a".repeat(1 << 20), REFUSED);
        probe("an endless method", "G".repeat(1 << 20), REFUSED);
    }

    private void methods() {
        for (String method :
                List.of("TRACE", "CONNECT", "PATCH", "get", "Get", "GETT", "PRI", "M-SEARCH", "PROPFIND")) {
            probe("method " + method, canary.replace("GET", method), NOT_SERVED);
        }
        for (String method : List.of("OPTIONS", "DELETE", "PUT")) {
            probe("method " + method, canary.replace("GET", method), AT_MOST_ONE);
        }
        probe("a method of 10 KiB", "G".repeat(10 << 10) + canary, NOT_SERVED);
        probe("CONNECT to an authority", canary.replace("GET /v2", "CONNECT evil.example:443"), NOT_SERVED);
        probe("OPTIONS *", canary.replace("GET /v2", "OPTIONS *"), AT_MOST_ONE);
        for (String method : List.of("G,T", "G/T", "G\u0000T", "G(T", "")) {
            probe("method '" + method + "'", canary.replace("GET", method) + canary, REFUSED);
        }
    }

    private void expectations() {
        String framing = "Content-Length: " + canary.length() + "\r\n";
        for (String value : List.of("200-ok", "100-continue, x", "100-continue;a", "")) {
            probe("Expect: " + value, target.post(framing + "Expect: " + value + "\r\n") + canary, NOT_SERVED);
        }
        probe("Expect: 100-continue", target.post(framing + "Expect: 100-continue\r\n") + canary, AT_MOST_ONE);
        probe("Expect without a body", target.post("Content-Length: 0\r\nExpect: 100-continue\r\n"), AT_MOST_ONE);
        probe(
                "Expect twice",
                target.post(framing + "Expect: 100-continue\r\nExpect: 100-continue\r\n") + canary,
                AT_MOST_ONE);
    }

    private void upgrades() {
        String h2c = "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n";
        probe("Upgrade: h2c", LINE + target.headers() + h2c + "\r\n", AT_MOST_ONE);
        probe("Upgrade: h2c of a call", target.post(h2c + "Content-Length: 2\r\n") + "{}", AT_MOST_ONE);
        String websocket = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
        probe("Upgrade: websocket", LINE + target.headers() + websocket + "\r\n", AT_MOST_ONE);
    }

    private void probe(String name, String request, Probe.Rule rule) {
        probes.add(new Probe(name.replaceAll("[\\x00-\\x1f\\x7f]", "?"), request, rule));
    }
}
