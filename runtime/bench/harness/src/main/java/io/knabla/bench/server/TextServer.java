package io.knabla.bench.server;

import io.knabla.bench.machine.ChildProcess;
import io.knabla.bench.wire.Call;
import io.knabla.runtime.paths.TextPaths;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/**
 * A replica that generates text, as the controller starts it. Its call asks for one token.
 *
 * @param prompt ids of tokens
 * @param threads of the engine
 * @param environment besides what every replica has
 */
public record TextServer(
        Distribution distribution, PackagedUnit packed, int[] prompt, int threads, Map<String, String> environment)
        implements PooledServer {
    public static final String PATH = "/v1/completions";
    private static final String MODEL = ReplicaProcess.MODEL;

    /** Id of the token that ends a text. */
    private static final int END = 2;

    public TextServer(Distribution distribution, PackagedUnit packed, int[] prompt, int threads) {
        this(distribution, packed, prompt, threads, Map.of());
    }

    /** The same, whose prompts the replica at this port reads. */
    public TextServer withReader(int port) {
        var reader = Map.of("KNABLA_PREFILL_URL", "http://127.0.0.1:%d%s".formatted(port, TextPaths.PREFIX_BLOCKS));
        return new TextServer(distribution, packed, prompt, threads, reader);
    }

    @Override
    public String name() {
        return "replica that generates text";
    }

    private ReplicaProcess process() {
        Map<String, String> all = new TreeMap<>(environment);
        all.put("KNABLA_THREADS", Integer.toString(threads));
        return new ReplicaProcess(distribution, distribution.readerArguments(), packed, all);
    }

    @Override
    public ChildProcess.Command command(int port) {
        return process().command(port);
    }

    @Override
    public ChildProcess.Command poolMember() {
        return process().poolMember();
    }

    @Override
    public byte[] assignment(int port) {
        return process().assignment(port);
    }

    @Override
    public Call call(int port) {
        byte[] body = body(prompt, 1, false).getBytes(StandardCharsets.UTF_8);
        String head = """
                POST %s HTTP/1.1\r
                Host: 127.0.0.1:%d\r
                Content-Type: application/json\r
                Content-Length: %d\r
                \r
                """.formatted(PATH, port, body.length);
        byte[] http = (head + new String(body, StandardCharsets.UTF_8)).getBytes(StandardCharsets.UTF_8);
        return new Call(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
                http,
                answer -> new String(answer.body(), StandardCharsets.UTF_8).contains("\"completion_tokens\":1"));
    }

    /** The most probable tokens, and no end before so many. */
    public static String body(int[] prompt, int tokens, boolean stream) {
        return """
                {"model": "%s", "prompt": %s, "max_tokens": %d, "temperature": 0, "logit_bias": {"%d": -100}, "stream": %s%s}
                """.formatted(
                        MODEL,
                        Arrays.toString(prompt),
                        tokens,
                        END,
                        stream,
                        stream ? ", \"stream_options\": {\"include_usage\": true}" : "");
    }

    @Override
    public Map<String, Double> phases(String output) {
        return ReadyEvent.phases(output);
    }
}
