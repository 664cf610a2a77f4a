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
@EnableKubernetesMockClient(crud = true)
class FirstSecretsTest {
    KubernetesClient kubernetes;

    @Test
    void secretsHaveDifferentValues() {
        var secrets = new FirstSecrets(kubernetes, new Random(1));

        assertThat(secrets.make(FirstSecrets.TOKEN)).isTrue();
        assertThat(secrets.make(FirstSecrets.STORE)).isTrue();

        assertThat(content(FirstSecrets.TOKEN)).containsOnlyKeys("token");
        assertThat(content(FirstSecrets.TOKEN).get("token")).matches("[0-9a-f]{64}");
        assertThat(content(FirstSecrets.STORE).get("AWS_ACCESS_KEY_ID")).matches("[0-9A-F]{20}");
        assertThat(content(FirstSecrets.STORE).get("AWS_SECRET_ACCESS_KEY"))
                .matches("[0-9a-f]{64}")
                .isNotEqualTo(content(FirstSecrets.TOKEN).get("token"));
    }

    @Test
    void keepsExistingSecret() {
        new FirstSecrets(kubernetes, new Random(1)).make(FirstSecrets.TOKEN);
        Map<String, String> before = content(FirstSecrets.TOKEN);

        assertThat(new FirstSecrets(kubernetes, new Random(2)).make(FirstSecrets.TOKEN))
                .isFalse();

        assertThat(content(FirstSecrets.TOKEN)).isEqualTo(before);
    }

    @Test
    void rejectsUnknownNameWithKnownOnes() {
        assertThatThrownBy(() -> new FirstSecrets(kubernetes, new Random(1)).make("tokens"))
                .hasMessage("'tokens' is not a Secret of Knabla; known are knabla-token and knabla-store");
    }

    private Map<String, String> content(String name) {
        Secret secret = kubernetes.secrets().withName(name).get();
        return secret.getStringData();
    }
}
