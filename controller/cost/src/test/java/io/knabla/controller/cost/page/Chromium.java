package io.knabla.controller.cost.page;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** A headless Chromium with one page, driven by the DevTools protocol. */
final class Chromium implements AutoCloseable, WebSocket.Listener {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long SECONDS = 60;

    private final Process process;
    private final HttpClient http = HttpClient.newHttpClient();
    private final WebSocket socket;
    private final StringBuilder text = new StringBuilder();
    private final AtomicInteger ids = new AtomicInteger();
    private final Map<Integer, CompletableFuture<JsonNode>> answers = new ConcurrentHashMap<>();
    private final Map<String, CompletableFuture<JsonNode>> awaited = new ConcurrentHashMap<>();
    private final String session;

    /** What the page did: methods of events that tests look at, with their parameters. */
    final List<JsonNode> events = new CopyOnWriteArrayList<>();

    /** The browser of this machine, if it has one. */
    static Optional<String> installed() {
        return Stream.of(System.getenv("PATH").split(java.io.File.pathSeparator))
                .flatMap(folder -> Stream.of("chromium", "google-chrome").map(name -> Path.of(folder, name)))
                .filter(Files::isExecutable)
                .map(Path::toString)
                .findFirst();
    }

    Chromium(Path folder) throws IOException {
        process = new ProcessBuilder(
                        installed().orElseThrow(),
                        "--headless=new",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--disable-dev-shm-usage",
                        "--no-first-run",
                        "--disable-background-networking",
                        "--remote-debugging-port=0",
                        "--user-data-dir=" + folder,
                        "about:blank")
                .redirectErrorStream(true)
                .start();
        // It names its address on its output.
        String address = process.inputReader()
                .lines()
                .filter(line -> line.startsWith("DevTools listening on "))
                .findFirst()
                .orElseThrow(() -> new IOException("chromium ended before it listened"))
                .substring("DevTools listening on ".length());
        Thread.ofPlatform().daemon().start(() -> process.inputReader().lines().forEach(line -> {}));
        socket = http.newWebSocketBuilder()
                .buildAsync(URI.create(address), this)
                .orTimeout(SECONDS, TimeUnit.SECONDS)
                .join();
        String target = call("", "Target.createTarget", Map.of("url", "about:blank"))
                .path("targetId")
                .asText();
        session = call("", "Target.attachToTarget", Map.of("targetId", target, "flatten", true))
                .path("sessionId")
                .asText();
        for (String domain : List.of("Page", "Runtime", "Log", "Network")) {
            call(domain + ".enable", Map.of());
        }
    }

    JsonNode call(String method, Map<String, ?> parameters) {
        return call(session, method, parameters);
    }

    private JsonNode call(String in, String method, Map<String, ?> parameters) {
        ObjectNode message =
                JSON.createObjectNode().put("id", ids.incrementAndGet()).put("method", method);
        message.set("params", JSON.valueToTree(parameters));
        if (!in.isEmpty()) {
            message.put("sessionId", in);
        }
        CompletableFuture<JsonNode> answer = new CompletableFuture<>();
        answers.put(message.get("id").asInt(), answer);
        socket.sendText(message.toString(), true).join();
        JsonNode all = answer.orTimeout(SECONDS, TimeUnit.SECONDS).join();
        if (all.has("error")) {
            throw new IllegalStateException(method + ": " + all.get("error"));
        }
        return all.get("result");
    }

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence part, boolean last) {
        text.append(part);
        if (last) {
            receive(text.toString());
            text.setLength(0);
        }
        from.request(1);
        return null;
    }

    private void receive(String message) {
        try {
            JsonNode node = JSON.readTree(message);
            if (node.has("id")) {
                answers.remove(node.get("id").asInt()).complete(node);
            } else {
                events.add(node);
                Optional.ofNullable(awaited.remove(node.path("method").asText()))
                        .ifPresent(one -> one.complete(node));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Opens a page in a window of this size and waits until it has loaded. */
    void open(URI page, int width, int height, boolean dark) {
        call(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 2, "mobile", width < 500));
        call(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", dark ? "dark" : "light"))));
        CompletableFuture<JsonNode> loaded = new CompletableFuture<>();
        awaited.put("Page.loadEventFired", loaded);
        call("Page.navigate", Map.of("url", page.toString()));
        loaded.orTimeout(SECONDS, TimeUnit.SECONDS).join();
    }

    /** The value of an expression; a promise is waited for. */
    JsonNode evaluate(String expression) {
        JsonNode answer =
                call("Runtime.evaluate", Map.of("expression", expression, "returnByValue", true, "awaitPromise", true));
        if (answer.has("exceptionDetails")) {
            throw new IllegalStateException(expression + ": " + answer.get("exceptionDetails"));
        }
        return answer.path("result").path("value");
    }

    /** A picture of the whole page. */
    void picture(Path png) throws IOException {
        write(png, call("Page.captureScreenshot", Map.of("captureBeyondViewport", true)));
    }

    void pdf(Path pdf) throws IOException {
        write(pdf, call("Page.printToPDF", Map.of("printBackground", false, "preferCSSPageSize", true)));
    }

    private static void write(Path file, JsonNode answer) throws IOException {
        Files.createDirectories(file.getParent());
        Files.write(file, Base64.getDecoder().decode(answer.path("data").asText()));
    }

    /** Errors and warnings that the browser reported since it started. */
    List<String> complaints() {
        return events.stream()
                .filter(event -> switch (event.path("method").asText()) {
                    case "Runtime.exceptionThrown" -> true;
                    case "Runtime.consoleAPICalled" ->
                        List.of("error", "warning", "assert")
                                .contains(event.at("/params/type").asText());
                    case "Log.entryAdded" ->
                        !event.at("/params/entry/level").asText().equals("verbose");
                    default -> false;
                })
                .map(JsonNode::toString)
                .toList();
    }

    /** Addresses that the page asked for, itself included. */
    List<String> requests() {
        return events.stream()
                .filter(event -> event.path("method").asText().equals("Network.requestWillBeSent"))
                .map(event -> event.at("/params/request/url").asText())
                .toList();
    }

    @Override
    public void close() {
        socket.abort();
        http.shutdownNow();
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        process.onExit().join();
    }
}
