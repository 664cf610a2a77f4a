package io.knabla.bench.server;

import io.knabla.bench.machine.ChildProcess;
import io.knabla.bench.model.BenchModel;
import io.knabla.bench.wire.Call;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Runs nginx as a reverse proxy before a replica, with two workers, keep-alive on both sides and default buffering.
 *
 * @param folder for its configuration and its files
 */
public record NginxServer(Path program, Path folder, Platform.ReplicaAddress replica, BenchModel model)
        implements Server {
    /** Why a row with nginx is skipped, and what to do. */
    public static final String MISSING = "nginx is not on PATH; install it with 'apt-get install nginx-light'";

    /** Debian keeps it where only root's PATH leads. */
    private static final String SYSTEM_FOLDER = "/usr/sbin";

    /** Finds nginx on PATH; empty where it is not installed. */
    public static Optional<Path> installed() {
        return Stream.concat(Stream.of(System.getenv("PATH").split(":")), Stream.of(SYSTEM_FOLDER))
                .map(folder -> Path.of(folder, "nginx"))
                .filter(Files::isExecutable)
                .findFirst();
    }

    public static NginxServer before(Platform.ReplicaAddress replica, Path folder, BenchModel model) {
        return new NginxServer(
                installed().orElseThrow(() -> new IllegalStateException(MISSING)), folder, replica, model);
    }

    @Override
    public String name() {
        return "nginx";
    }

    @Override
    public ChildProcess.Command command(int port) {
        try {
            Path file = Files.writeString(folder.resolve("nginx-" + port + ".conf"), configuration(port));
            return new ChildProcess.Command(
                    List.of(program.toString(), "-p", folder.toString(), "-c", file.toString()), Map.of());
        } catch (IOException error) {
            throw new UncheckedIOException("cannot write nginx' configuration", error);
        }
    }

    /** The worker's user matters only to root, whose folder another user could not enter. */
    String configuration(int port) {
        return """
                daemon off;
                %1$s
                worker_processes 2;
                pid %2$s/nginx.pid;
                error_log stderr;
                events { worker_connections 4096; }
                http {
                  access_log off;
                  client_body_temp_path %2$s/body;
                  proxy_temp_path %2$s/proxy;
                  fastcgi_temp_path %2$s/fastcgi;
                  uwsgi_temp_path %2$s/uwsgi;
                  scgi_temp_path %2$s/scgi;
                  client_body_buffer_size 1m;
                  keepalive_requests 100000000;
                  upstream replica {
                    server 127.0.0.1:%3$d;
                    keepalive 64;
                    keepalive_requests 100000000;
                  }
                  server {
                    listen 127.0.0.1:%4$d;
                    location / {
                      proxy_pass http://replica;
                      proxy_http_version 1.1;
                      proxy_set_header Connection "";
                      proxy_set_header Knabla-Replica-Token "%5$s";
                    }
                  }
                }
                """.formatted(
                        System.getProperty("user.name").equals("root") ? "user root;" : "",
                        folder,
                        replica.port(),
                        port,
                        replica.token());
    }

    @Override
    public Call call(int port) {
        return Call.json(port, "/v2/models/bench/infer", model);
    }

    @Override
    public Map<String, Double> phases(String output) {
        return Map.of();
    }
}
