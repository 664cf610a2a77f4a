package io.knabla.controller.cli.verbs;

import com.sun.net.httpserver.HttpServer;
import io.knabla.controller.cli.print.Console;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Training run of the command line's AOT cache: runs the verbs that must be fast against a stub server. */
public final class CliTrainingRun {
    private static final String FUNCTION = """
            {"name": "digits", "namespace": "default", "type": "Inference", "url": "http://x",
             "latestVersion": 1, "readyVersion": 1, "traffic": [{"version": 1, "percent": 100}],
             "replicas": {"ready": 1, "starting": 0}, "unit": "sha256:00", "spec": {"type": "Inference"},
             "created": "2026-01-01T00:00:00Z", "version": 1, "model": "sha256:00",
             "conditions": [{"type": "Ready", "status": "True", "reason": "", "message": ""}]}
            """;

    private CliTrainingRun() {}

    public static void main(String[] args) throws IOException {
        var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            boolean one = exchange.getRequestURI().getPath().endsWith("/digits");
            String text = one ? FUNCTION : "{\"items\": [" + FUNCTION + "]}";
            byte[] body = text.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            try (OutputStream out = exchange.getResponseBody()) {
                out.write(body);
            }
        });
        server.start();
        try {
            String url = "http://127.0.0.1:" + server.getAddress().getPort();
            runVerbs(url);
        } finally {
            server.stop(0);
        }
    }

    private static void runVerbs(String url) {
        var nowhere = new PrintStream(OutputStream.nullOutputStream());
        List<List<String>> calls = List.of(
                List.of("--help"),
                List.of("list"),
                List.of("list", "-o", "wide"),
                List.of("list", "-o", "json"),
                List.of("list", "-o", "yaml"),
                List.of("describe", "digits"),
                List.of("versions", "digits"),
                List.of("traffic", "digits"),
                List.of("deploy", "--help"),
                List.of("lst"),
                List.of("list", "--server", "http://127.0.0.1:1"));
        for (List<String> call : calls) {
            var args = new java.util.ArrayList<>(call);
            if (!call.contains("--server")) {
                args.addAll(List.of("--server", url));
            }
            CommandLines.make(_ -> 0, Console.plain(nowhere, nowhere)).execute(args.toArray(String[]::new));
        }
    }
}
