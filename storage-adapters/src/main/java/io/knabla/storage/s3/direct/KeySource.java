package io.knabla.storage.s3.direct;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.knabla.storage.s3.client.AccessKeys;
import io.knabla.storage.s3.client.Identity;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Where a pod's credentials come from; a source that is none of these is left to the SDK. */
sealed interface KeySource {
    /** @throws IOException if the source answers otherwise than documented */
    AccessKeys read(Connections connections) throws IOException;

    /** The first of these in the order of the SDK. */
    static Optional<KeySource> of(Identity identity, String region, Map<String, String> environment) {
        if (identity.keys().isPresent()) {
            return Optional.of(new Given(identity.keys().get()));
        }
        if (identity.profile().isPresent()) {
            return Optional.empty();
        }
        return WebIdentity.of(region, environment).or(() -> PodIdentity.of(environment));
    }

    /** Keys in the settings. */
    record Given(AccessKeys keys) implements KeySource {
        @Override
        public AccessKeys read(Connections connections) {
            return keys;
        }
    }

    /** A role for the pod's token, from AWS STS: IAM roles for service accounts. */
    record WebIdentity(URI service, String role, Path token) implements KeySource {
        static Optional<KeySource> of(String region, Map<String, String> environment) {
            String token = environment.get("AWS_WEB_IDENTITY_TOKEN_FILE");
            String role = environment.get("AWS_ROLE_ARN");
            if (token == null || role == null) {
                return Optional.empty();
            }
            String service = environment.getOrDefault(
                    "AWS_ENDPOINT_URL_STS", "https://sts." + region + "." + DirectReader.domain(region));
            return Optional.of(new WebIdentity(URI.create(service + "/"), role, Path.of(token)));
        }

        @Override
        public AccessKeys read(Connections connections) throws IOException {
            HttpURLConnection call = connections.open(service);
            call.setRequestMethod("POST");
            call.setDoOutput(true);
            call.getOutputStream()
                    .write(("Action=AssumeRoleWithWebIdentity&Version=2011-06-15&RoleSessionName=knabla&RoleArn="
                                    + URLEncoder.encode(role, UTF_8)
                                    + "&WebIdentityToken="
                                    + URLEncoder.encode(Files.readString(token).strip(), UTF_8))
                            .getBytes(UTF_8));
            return keys(text(call), List.of("<AccessKeyId>", "<SecretAccessKey>", "<SessionToken>"), '<');
        }
    }

    /** A role from the agent of EKS Pod Identity on the pod's node. */
    record PodIdentity(URI agent, Path token) implements KeySource {
        /** Addresses that nobody but the node answers. */
        private static final Set<String> HOSTS = Set.of("169.254.170.23", "[fd00:ec2::23]", "127.0.0.1");

        static Optional<KeySource> of(Map<String, String> environment) {
            String address = environment.get("AWS_CONTAINER_CREDENTIALS_FULL_URI");
            String token = environment.get("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE");
            if (address == null || token == null) {
                return Optional.empty();
            }
            URI agent = URI.create(address);
            return agent.getHost() != null && HOSTS.contains(agent.getHost())
                    ? Optional.of(new PodIdentity(agent, Path.of(token)))
                    : Optional.empty();
        }

        @Override
        public AccessKeys read(Connections connections) throws IOException {
            HttpURLConnection call = connections.open(agent);
            call.setRequestProperty("Authorization", Files.readString(token).strip());
            return keys(
                    text(call).replaceAll("\"\\s*:\\s*\"", "\":\""),
                    List.of("\"AccessKeyId\":\"", "\"SecretAccessKey\":\"", "\"Token\":\""),
                    '"');
        }
    }

    private static String text(HttpURLConnection call) throws IOException {
        try (InputStream answer = call.getInputStream()) {
            return new String(answer.readAllBytes(), UTF_8);
        }
    }

    /** @param begins text before id, secret and token in this order */
    private static AccessKeys keys(String answer, List<String> begins, char end) throws IOException {
        return new AccessKeys(
                value(answer, begins.get(0), end),
                value(answer, begins.get(1), end),
                Optional.of(value(answer, begins.get(2), end)));
    }

    private static String value(String answer, String begin, char end) throws IOException {
        int at = answer.indexOf(begin);
        int until = answer.indexOf(end, at + begin.length());
        if (at < 0 || until < 0) {
            throw new IOException("the answer contains no " + begin);
        }
        return answer.substring(at + begin.length(), until);
    }
}
