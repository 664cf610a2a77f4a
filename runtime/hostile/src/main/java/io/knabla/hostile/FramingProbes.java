package io.knabla.hostile;

import static io.knabla.hostile.Probe.Rule.AT_MOST_ONE;
import static io.knabla.hostile.Probe.Rule.REFUSED;

import java.util.ArrayList;
import java.util.List;

/** Creates requests whose body ends in different places for different parsers (request smuggling). */
final class FramingProbes {
    private final Target target;
    private final String canary;
    private final int length;
    private final List<Probe> probes = new ArrayList<>();

    private FramingProbes(Target target) {
        this.target = target;
        this.canary = target.get("/v2");
        this.length = canary.length();
    }

    static List<Probe> of(Target target) {
        var all = new FramingProbes(target);
        all.encodings();
        all.lengths();
        all.chunkSizes();
        all.chunkEnds();
        all.endless();
        return all.probes;
    }

    private void encodings() {
        for (String value : List.of(
                "xchunked",
                "identity",
                "\"chunked\"",
                "chunked;q=1",
                "chunked, chunked",
                "gzip, chunked",
                "gzip",
                "chunked, identity",
                "chunked,",
                ", chunked",
                "chunked\u000b",
                "chun ked",
                "",
                "cow")) {
            body("Transfer-Encoding: " + value, "Transfer-Encoding: " + value + "\r\n", canary, REFUSED);
        }
        String chunks = Integer.toHexString(length) + "\r\n" + canary + "\r\n0\r\n\r\n";
        String ended = "0\r\n\r\n" + canary;
        body("chunked in capitals", "TRANSFER-ENCODING: CHUNKED\r\n", chunks, AT_MOST_ONE);
        body("chunked after a tab", "Transfer-Encoding:\tchunked\r\n", chunks, AT_MOST_ONE);
        body("chunked twice", "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", ended, REFUSED);
        body("chunked, then identity", "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n", ended, REFUSED);
        body(
                "a length and chunked",
                "Content-Length: " + ended.length() + "\r\nTransfer-Encoding: chunked\r\n",
                ended,
                REFUSED);
        body("chunked and a length", "Transfer-Encoding: chunked\r\nContent-Length: 0\r\n", chunks, REFUSED);
        body("a length and xchunked", "Content-Length: 0\r\nTransfer-Encoding: xchunked\r\n", canary, REFUSED);
        probe(
                "chunked in HTTP/1.0",
                target.post("Transfer-Encoding: chunked\r\n").replace("HTTP/1.1", "HTTP/1.0") + chunks,
                AT_MOST_ONE);
    }

    private void lengths() {
        for (String value : List.of(
                "+" + length,
                "-1",
                "-" + length,
                "0x" + Integer.toHexString(length),
                "1e2",
                length + "." + 0,
                length + " " + length,
                "0, " + length,
                length + ";",
                "",
                "abc",
                "\"" + length + "\"",
                "99999999999999999999",
                "9223372036854775808",
                "18446744073709551616",
                "4294967296")) {
            body("Content-Length: " + value, "Content-Length: " + value + "\r\n", canary, REFUSED);
        }
        String zero = "Content-Length: 0\r\n";
        String right = "Content-Length: " + length + "\r\n";
        body("two lengths, 0 first", zero + right, canary, REFUSED);
        body("two lengths, 0 last", right + zero, canary, REFUSED);
        body("the same length twice", right + right, canary, AT_MOST_ONE);
        body("the same length in a list", "Content-Length: " + length + ", " + length + "\r\n", canary, AT_MOST_ONE);
        body("a length with leading zeros", "Content-Length: 000" + length + "\r\n", canary, AT_MOST_ONE);
        body("a length between spaces", "Content-Length:   " + length + "  \r\n", canary, AT_MOST_ONE);
        body("a right length", right, canary, AT_MOST_ONE);
    }

    private void chunkSizes() {
        String hex = Integer.toHexString(length);
        for (String size : List.of(
                "+" + hex,
                "-" + hex,
                "0x" + hex,
                " " + hex,
                "\t" + hex,
                "",
                "g",
                hex + "g",
                hex + "_",
                "-1",
                "1" + "0".repeat(14) + hex,
                "1000000" + hex,
                "FFFFFFFFFFFFFFFFF",
                "7FFFFFFFFFFFFFFF",
                "FFFFFFFFFFFFFFFF",
                hex + "\u0000",
                hex + "\r",
                hex + ",")) {
            chunk("chunk size '" + size + "'", size, REFUSED);
        }
        for (String size :
                List.of(hex + ";a=b", hex + ";", hex + " ", hex + ";a=\"b;c\"", "000" + hex, hex.toUpperCase())) {
            chunk("chunk size '" + size + "'", size, AT_MOST_ONE);
        }
    }

    private void chunk(String name, String size, Probe.Rule rule) {
        body(name, "Transfer-Encoding: chunked\r\n", size + "\r\n" + canary + "\r\n0\r\n\r\n", rule);
    }

    private void chunkEnds() {
        String chunked = "Transfer-Encoding: chunked\r\n";
        body("a chunk size before LF", chunked, "2\n{}\r\n0\r\n\r\n" + canary, REFUSED);
        body("a chunk before LF", chunked, "2\r\n{}\n0\r\n\r\n" + canary, REFUSED);
        body("a chunk without an end", chunked, "2\r\n{}0\r\n\r\n" + canary, REFUSED);
        body("a chunk longer than said", chunked, "2\r\n{ }\r\n0\r\n\r\n" + canary, REFUSED);
        body("an extension with LF", chunked, "2;a\nb\r\n{}\r\n0\r\n\r\n" + canary, REFUSED);
        body("a trailer with LF", chunked, "0\r\nX: y\n\r\n" + canary, REFUSED);
        body("the last chunk before LF", chunked, "0\n\n" + canary, REFUSED);
        body("a trailer with a length", chunked, "0\r\nContent-Length: 5\r\n\r\n", AT_MOST_ONE);
    }

    private void endless() {
        String chunked = "Transfer-Encoding: chunked\r\n";
        body("an endless extension", chunked, "2;" + "a".repeat(1 << 20) + "\r\n{}\r\n0\r\n\r\n", REFUSED);
        body("an endless chunk size", chunked, "0".repeat(1 << 20) + "\r\n\r\n", REFUSED);
        body("endless trailers", chunked, "0\r\n" + "X: y\r\n".repeat(1 << 17) + "\r\n", REFUSED);
        body("an endless trailer", chunked, "0\r\nX: " + "y".repeat(1 << 20) + "\r\n\r\n", REFUSED);
    }

    private void body(String name, String framing, String body, Probe.Rule rule) {
        probe(name, target.post(framing) + body, rule);
    }

    private void probe(String name, String request, Probe.Rule rule) {
        probes.add(new Probe(name.replaceAll("[\\x00-\\x1f]", "?"), request, rule));
    }
}
