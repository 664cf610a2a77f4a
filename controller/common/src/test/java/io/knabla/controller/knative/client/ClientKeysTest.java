package io.knabla.controller.knative.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPairGenerator;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClientKeysTest {
    @TempDir
    Path folder;

    @Test
    void detectsTheAlgorithmOfAPkcs8Key() throws Exception {
        assertThat(ClientKeys.withKeyAlgorithm(withKey("EC")).getClientKeyAlgo())
                .isEqualTo("EC");
        assertThat(ClientKeys.withKeyAlgorithm(withKey("RSA")).getClientKeyAlgo())
                .isNotEqualTo("EC");
    }

    @Test
    void detectsTheAlgorithmOfAKeyFile() throws Exception {
        Path file = Files.writeString(folder.resolve("client.key"), pem("EC"));

        Config config = config().withClientKeyFile(file.toString()).build();

        assertThat(ClientKeys.withKeyAlgorithm(config).getClientKeyAlgo()).isEqualTo("EC");
    }

    @Test
    void keepsAConfigWithoutAKey() {
        Config config = config().withOauthToken("token").build();

        assertThat(ClientKeys.withKeyAlgorithm(config)).isSameAs(config);
    }

    private static Config withKey(String kind) throws Exception {
        byte[] pem = pem(kind).getBytes(StandardCharsets.UTF_8);
        return config().withClientKeyData(Base64.getEncoder().encodeToString(pem))
                .build();
    }

    private static ConfigBuilder config() {
        return new ConfigBuilder(Config.empty());
    }

    private static String pem(String kind) throws Exception {
        byte[] key = KeyPairGenerator.getInstance(kind)
                .generateKeyPair()
                .getPrivate()
                .getEncoded();
        return "-----BEGIN PRIVATE KEY-----\n%s\n-----END PRIVATE KEY-----\n"
                .formatted(Base64.getMimeEncoder().encodeToString(key));
    }
}
