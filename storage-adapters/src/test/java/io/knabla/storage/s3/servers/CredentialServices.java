package io.knabla.storage.s3.servers;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.knabla.storage.s3.S3Server;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Simulates AWS STS, the agent of EKS Pod Identity and instance metadata, in the formats that AWS documents; each hands
 * out the keys of an S3 server.
 */
public final class CredentialServices implements AutoCloseable {
    private final S3Server keys;
    private final HttpServer service;
    private final List<String> requests = new CopyOnWriteArrayList<>();

    private CredentialServices(S3Server keys, HttpServer service) {
        this.keys = keys;
        this.service = service;
    }

    public static CredentialServices start(S3Server keys) throws IOException {
        HttpServer service = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        var services = new CredentialServices(keys, service);
        service.createContext("/", services::answer);
        service.start();
        return services;
    }

    public String address() {
        return "http://127.0.0.1:" + service.getAddress().getPort();
    }

    /** Requests so far: method, path, authorization and body. */
    public List<String> requests() {
        return requests;
    }

    private void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        requests.add("%s %s %s %s"
                .formatted(
                        exchange.getRequestMethod(),
                        path,
                        exchange.getRequestHeaders().getFirst("Authorization"),
                        new String(exchange.getRequestBody().readAllBytes(), UTF_8)));
        byte[] answer = answer(path).getBytes(UTF_8);
        exchange.getResponseHeaders().add("X-aws-ec2-metadata-token-ttl-seconds", "21600");
        exchange.sendResponseHeaders(200, answer.length);
        exchange.getResponseBody().write(answer);
        exchange.close();
    }

    private String answer(String path) {
        String expires = Instant.now().plus(Duration.ofHours(1)).toString();
        return switch (path) {
            case "/latest/api/token" -> "a-session-token";
            case "/latest/meta-data/iam/security-credentials/" -> "knabla-node";
            case "/latest/meta-data/iam/security-credentials/knabla-node", "/v1/credentials" ->
                """
                    {"Code": "Success", "Type": "AWS-HMAC", "LastUpdated": "%s",
                     "AccessKeyId": "%s", "SecretAccessKey": "%s", "Token": "t", "Expiration": "%s"}
                    """.formatted(Instant.now(), keys.accessKey(), keys.secretKey(), expires);
            case "/" -> """
                    <AssumeRoleWithWebIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">
                    <AssumeRoleWithWebIdentityResult><Credentials>
                    <AccessKeyId>%s</AccessKeyId><SecretAccessKey>%s</SecretAccessKey>
                    <SessionToken>t</SessionToken><Expiration>%s</Expiration>
                    </Credentials></AssumeRoleWithWebIdentityResult>
                    </AssumeRoleWithWebIdentityResponse>
                    """.formatted(keys.accessKey(), keys.secretKey(), expires);
            default -> "";
        };
    }

    @Override
    public void close() {
        service.stop(0);
    }
}
