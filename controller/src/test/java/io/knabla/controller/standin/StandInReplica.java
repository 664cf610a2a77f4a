package io.knabla.controller.standin;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Test double of a replica without an engine. Misbehaves on request: at the start by the model's name, later by the
 * header {@code Standin-Do}.
 */
public final class StandInReplica {
    private static final AtomicInteger ANSWERING = new AtomicInteger();

    private StandInReplica() {}

    private static Map<String, String> environment = System.getenv();

    public static void main(String... args) throws Exception {
        if (List.of(args).contains("pooled")) {
            System.out.println("{\"event\":\"pooled\"}");
            environment = assignment();
            if (environment.get("KNABLA_MODEL_NAME").startsWith("lost")) {
                Runtime.getRuntime().halt(137);
            }
        }
        watchStdin();
        String name = environment.get("KNABLA_MODEL_NAME");
        System.err.println("standing in for " + name);
        if (name.startsWith("crashing")) {
            System.err.println("no such operator: Frobnicate");
            Runtime.getRuntime().halt(139);
        }
        if (name.startsWith("failing")) {
            System.out.println("{\"event\":\"failed\",\"error\":\"the unit is not there\"}");
            System.exit(3);
        }
        if (name.startsWith("stuck")) {
            new CountDownLatch(1).await();
        }
        if (name.startsWith("gated")) {
            awaitFile(Path.of(environment.get("KNABLA_CACHE"), "gate"));
        }
        serve();
        if (name.startsWith("hungry")) {
            takeOutsideTheHeap(256L << 20);
        }
    }

    private static Map<String, String> assignment() throws IOException {
        Map<String, String> assigned = new HashMap<>();
        StringBuilder entry = new StringBuilder();
        for (int next = System.in.read(); next >= 0; next = System.in.read()) {
            if (next != 0) {
                entry.append((char) next);
            } else if (entry.isEmpty()) {
                return assigned;
            } else {
                String[] parts = entry.toString().split("=", 2);
                assigned.put(parts[0], parts[1]);
                entry.setLength(0);
            }
        }
        Runtime.getRuntime().halt(9);
        throw new IllegalStateException();
    }

    /** As the engine does: neither the heap nor the bound of direct buffers applies. */
    @SuppressWarnings("restricted")
    private static void takeOutsideTheHeap(long bytes) throws Exception {
        Linker linker = Linker.nativeLinker();
        MethodHandle malloc = linker.downcallHandle(
                linker.defaultLookup().findOrThrow("malloc"),
                FunctionDescriptor.of(ValueLayout.ADDRESS, ValueLayout.JAVA_LONG));
        try {
            ((MemorySegment) malloc.invokeExact(bytes)).reinterpret(bytes).fill((byte) 1);
        } catch (Throwable impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static void watchStdin() {
        Thread.ofPlatform().daemon().start(() -> {
            try {
                while (System.in.read() >= 0) {}
            } catch (IOException broken) {
                // As good as its end.
            }
            Runtime.getRuntime().halt(9);
        });
    }

    private static void serve() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 100);
        ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor();
        server.setExecutor(workers);
        server.createContext("/", StandInReplica::answer);
        server.start();
        // Exits after the last response, or the launcher kills it. HttpServer.stop may wait for its whole delay after
        // it.
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            while (ANSWERING.get() > 0) {
                LockSupport.parkNanos(1_000_000);
            }
        }));
        System.out.println("a library prints what is no event");
        System.out.println(
                "{\"event\":\"listening\",\"port\":" + server.getAddress().getPort() + "}");
        System.out.println("{\"event\":\"ready\",\"phases\":{\"boot\":20.5,\"fetch\":1,\"load\":3}}");
    }

    private static void answer(HttpExchange exchange) throws IOException {
        ANSWERING.incrementAndGet();
        try {
            answered(exchange);
        } finally {
            ANSWERING.decrementAndGet();
        }
    }

    private static void answered(HttpExchange exchange) throws IOException {
        String token = exchange.getRequestHeaders().getFirst("Knabla-Replica-Token");
        if (!environment.get("KNABLA_REPLICA_TOKEN").equals(token)) {
            exchange.sendResponseHeaders(403, -1);
            return;
        }
        String[] order = String.valueOf(exchange.getRequestHeaders().getFirst("Standin-Do"))
                .split(" ");
        describe(exchange);
        switch (order[0]) {
            case "die" -> Runtime.getRuntime().halt(139);
            case "die-after-body" -> {
                exchange.getRequestBody().readAllBytes();
                Runtime.getRuntime().halt(139);
            }
            case "die-once" -> {
                if (Files.notExists(Path.of(order[1]))) {
                    Files.createFile(Path.of(order[1]));
                    Runtime.getRuntime().halt(137);
                }
            }
            case "note-and-wait-for" -> {
                Files.createFile(Path.of(order[1]));
                awaitFile(Path.of(order[2]));
            }
            case "wait-millis" -> LockSupport.parkNanos(1_000_000L * Long.parseLong(order[1]));
            case "half" -> {
                exchange.sendResponseHeaders(200, 1 << 20);
                exchange.getResponseBody().write(new byte[1 << 19]);
                exchange.getResponseBody().flush();
                Runtime.getRuntime().halt(139);
            }
            case "stream" -> {
                exchange.sendResponseHeaders(200, 0);
                try (OutputStream out = exchange.getResponseBody()) {
                    out.write("data: piece\n\n".getBytes(StandardCharsets.UTF_8));
                }
                return;
            }
            case "fall-silent" -> {
                exchange.sendResponseHeaders(200, 0);
                exchange.getResponseBody().write("data: piece\n\n".getBytes(StandardCharsets.UTF_8));
                exchange.getResponseBody().flush();
                LockSupport.park();
            }
            case "report-utilization" -> System.out.println("{\"event\":\"utilization\",\"percent\":" + order[1] + "}");
            case "stopping" -> {
                exchange.sendResponseHeaders(503, -1);
                return;
            }
            default -> {}
        }
        echo(exchange);
    }

    /** Tells in headers who answered what. */
    private static void describe(HttpExchange exchange) {
        Headers asked = exchange.getRequestHeaders();
        Headers answer = exchange.getResponseHeaders();
        answer.set("Standin-Pid", "" + ProcessHandle.current().pid());
        answer.set("Standin-Path", exchange.getRequestURI().toString());
        answer.set("Standin-Traceparent", "" + asked.getFirst("traceparent"));
        answer.set("X-Request-Id", "" + asked.get("X-Request-Id"));
        answer.set("Standin-Request", "" + asked.get("X-Request-Id"));
        answer.set("Standin-Hop", "" + asked.getFirst("X-Hop"));
        answer.set("Knabla-Version", environment.get("KNABLA_MODEL_VERSION"));
        answer.set("Server-Timing", "queue;dur=0.5, infer;dur=2");
    }

    private static void echo(HttpExchange exchange) throws IOException {
        String length = exchange.getRequestHeaders().getFirst("Content-Length");
        exchange.sendResponseHeaders(200, length == null || length.equals("0") ? 0 : Long.parseLong(length));
        try (OutputStream out = exchange.getResponseBody()) {
            exchange.getRequestBody().transferTo(out);
        }
    }

    private static void awaitFile(Path file) {
        while (Files.notExists(file)) {
            Thread.onSpinWait();
            LockSupport.parkNanos(1_000_000);
        }
    }
}
