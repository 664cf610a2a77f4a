package io.knabla.controller.cli.secrets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The mock stores what is sent; a real server moves {@code stringData} to {@code data}. */
@EnableKubernetesMockClient(https = false, crud = true)
class SecretGeneratorTest {
    KubernetesClient kubernetes;

    @Test
    void secretsHaveDifferentValues() {
        var secrets = new SecretGenerator(kubernetes, new Random(1));

        assertThat(secrets.createIfAbsent(SecretGenerator.TOKEN)).isTrue();
        assertThat(secrets.createIfAbsent(SecretGenerator.STORE)).isTrue();

        assertThat(content(SecretGenerator.TOKEN)).containsOnlyKeys("token");
        assertThat(content(SecretGenerator.TOKEN).get("token")).matches("[0-9a-f]{64}");
        assertThat(content(SecretGenerator.STORE).get("AWS_ACCESS_KEY_ID")).matches("[0-9A-F]{20}");
        assertThat(content(SecretGenerator.STORE).get("AWS_SECRET_ACCESS_KEY"))
                .matches("[0-9a-f]{64}")
                .isNotEqualTo(content(SecretGenerator.TOKEN).get("token"));
    }

    @Test
    void keepsExistingSecret() {
        new SecretGenerator(kubernetes, new Random(1)).createIfAbsent(SecretGenerator.TOKEN);
        Map<String, String> before = content(SecretGenerator.TOKEN);

        assertThat(new SecretGenerator(kubernetes, new Random(2)).createIfAbsent(SecretGenerator.TOKEN))
                .isFalse();

        assertThat(content(SecretGenerator.TOKEN)).isEqualTo(before);
    }

    @Test
    void rejectsUnknownNameWithKnownOnes() {
        assertThatThrownBy(() -> new SecretGenerator(kubernetes, new Random(1)).createIfAbsent("tokens"))
                .hasMessage("'tokens' is not a Secret of Knabla; known are knabla-token and knabla-store");
    }

    private Map<String, String> content(String name) {
        Secret secret = kubernetes.secrets().withName(name).get();
        return secret.getStringData();
    }
}
