package io.knabla.storage.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SettingNamesTest {
    @ParameterizedTest
    @CsvSource({
        "store,                 store,                  KNABLA_STORE,                knabla.store",
        "s3.endpoint,           s3.endpoint,            KNABLA_S3_ENDPOINT,          knabla.s3.endpoint",
        "s3.callTimeout,        s3.call-timeout,        KNABLA_S3_CALL_TIMEOUT,      knabla.s3.call-timeout",
        "s3.region,             s3.region,              AWS_REGION,                  knabla.s3.region",
        "nodes[0].instanceType, nodes[0].instance-type, KNABLA_NODES_0__INSTANCE_TYPE, knabla.nodes[0].instance-type",
        "image_base,            image_base,             KNABLA_IMAGE_BASE,           knabla.image_base",
    })
    void spellsASettingOfTheFile(String path, String key, String variable, String property) {
        assertThat(SettingNames.key(path)).isEqualTo(key);
        assertThat(SettingNames.variable(key)).isEqualTo(variable);
        assertThat(SettingNames.property(key)).isEqualTo(property);
    }

    @Test
    void selectsPropertiesOfKnabla() {
        assertThat(SettingNames.byVariable(
                        Map.of("knabla.gc.every", "1h", "knabla.s3.region", "r", "user.home", "/", "knablas", "x")))
                .containsOnly(Map.entry("KNABLA_GC_EVERY", "1h"), Map.entry("AWS_REGION", "r"));
    }
}
