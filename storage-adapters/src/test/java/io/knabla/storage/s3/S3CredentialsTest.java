package io.knabla.storage.s3;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.storage.Content;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.s3.servers.CredentialServices;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests each credential provider in a child process that has only this one. A local server simulates the credential
 * services in the formats that AWS documents.
 */
class S3CredentialsTest {
    @TempDir
    Path folder;

    private S3Server server;
    private CredentialServices services;
    private String place;

    @BeforeEach
    void start() throws IOException {
        server = S3ProxyServer.start(Files.createDirectory(folder.resolve("buckets")));
        place = "s3://" + server.newBucket();
        try (ObjectStore store = S3ObjectStore.open(place, server.environment())) {
            store.write(ObjectKey.of("here"), Content.of(new byte[1]));
        }
        services = CredentialServices.start(server);
    }

    @AfterEach
    void stop() {
        services.close();
        server.close();
    }

    @Test
    void fromTheEnvironment() throws IOException {
        assertThat(ask(Map.of("AWS_ACCESS_KEY_ID", server.accessKey(), "AWS_SECRET_ACCESS_KEY", server.secretKey())))
                .isEqualTo("there");
    }

    @Test
    void fromAProfile() throws IOException {
        assertThat(ask(Map.of("AWS_PROFILE", "work", "AWS_SHARED_CREDENTIALS_FILE", profiles())))
                .isEqualTo("there");
    }

    /** As {@code config.yaml} may set it. */
    @Test
    void fromAProfileThatOnlyTheSettingsName() throws IOException {
        assertThat(ask(Map.of("AWS_SHARED_CREDENTIALS_FILE", profiles()), "-Dmore=AWS_PROFILE=work"))
                .isEqualTo("there");
    }

    private String profiles() throws IOException {
        Path file = folder.resolve("credentials");
        Files.writeString(file, """
                [work]
                aws_access_key_id = %s
                aws_secret_access_key = %s
                """.formatted(server.accessKey(), server.secretKey()));
        return file.toString();
    }

    /** IRSA: the pod's token for a role's credentials ("AssumeRoleWithWebIdentity"). */
    @Test
    void fromAWebIdentity() throws IOException {
        assertThat(ask(Map.of(
                        "AWS_WEB_IDENTITY_TOKEN_FILE", token("the-pods-token"),
                        "AWS_ROLE_ARN", "arn:aws:iam::123456789012:role/knabla",
                        "AWS_ENDPOINT_URL_STS", services.address())))
                .isEqualTo("there");
        assertThat(services.requests())
                .anyMatch(request -> request.contains("Action=AssumeRoleWithWebIdentity")
                        && request.contains("WebIdentityToken=the-pods-token")
                        && request.contains("role%2Fknabla"));
    }

    /** EKS pod identity: the node's agent, asked with the pod's token ("Container credential provider"). */
    @Test
    void fromThePodsIdentity() throws IOException {
        assertThat(ask(Map.of(
                        "AWS_CONTAINER_CREDENTIALS_FULL_URI",
                        services.address() + "/v1/credentials",
                        "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE",
                        token("the-pods-token"))))
                .isEqualTo("there");
        assertThat(services.requests()).anyMatch(request -> request.startsWith("GET /v1/credentials the-pods-token"));
    }

    /** IMDSv2: a token first, then the role's name, then its credentials. */
    @Test
    void fromTheMachinesRole() throws IOException {
        assertThat(ask(Map.of(
                        "AWS_EC2_METADATA_SERVICE_ENDPOINT",
                        services.address(),
                        // Seconds; by default it waits one second and tries once.
                        "AWS_METADATA_SERVICE_TIMEOUT",
                        "60")))
                .isEqualTo("there");
        assertThat(services.requests()).anyMatch(request -> request.startsWith("PUT /latest/api/token"));
    }

    @Test
    void saysSoWhenThereAreNone() throws IOException {
        assertThat(ask(Map.of("AWS_EC2_METADATA_DISABLED", "true")))
                .isEqualTo(
                        "cannot read 'here' in the store %s: there are no credentials. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, log in (aws sso login), or give this machine or pod a role."
                                .formatted(place));
    }

    private String ask(Map<String, String> way, String... flags) throws IOException {
        Map<String, String> environment = new TreeMap<>(way);
        environment.put("KNABLA_S3_ENDPOINT", server.endpoint().toString());
        environment.put("AWS_REGION", "us-east-1");
        // A developer's own profile must not be used instead.
        environment.putIfAbsent(
                "AWS_SHARED_CREDENTIALS_FILE", folder.resolve("none").toString());
        environment.put("AWS_CONFIG_FILE", folder.resolve("none").toString());
        return ReadChild.read(place, environment, flags);
    }

    private String token(String token) throws IOException {
        return Files.writeString(folder.resolve("token"), token).toString();
    }
}
