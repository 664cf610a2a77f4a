package io.knabla.controller.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.home.ConfigFile;
import io.knabla.storage.settings.SettingNames;
import io.knabla.storage.setup.Stores;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigKeysTest {
    @TempDir
    Path folder;

    private List<String> faults(String yaml) throws IOException {
        return ConfigKeys.faults(ConfigFile.read(Files.writeString(folder.resolve("config.yaml"), yaml)));
    }

    @Test
    void acceptsEverySettingAtItsPath() throws IOException {
        assertThat(faults("""
                        store: s3://bucket/prefix
                        s3: {endpoint: 'http://s3', callTimeout: 9s, region: eu-central-1}
                        catalog: {refresh: 2s}
                        port: 0
                        nodes:
                          - {name: a, pool: gpu, capacity: Spot, instanceType: g6.xlarge, zone: a, slots: 1}
                          - {name: b}
                        gc: {automatic: false, every: 1h, grace: 2h}
                        priceRefresh: {every: 24h, regions: [eu-central-1], instanceTypes: [g6.xlarge]}
                        prices: [{offer: ServerlessGpu, name: a, perGpuSecond: 1}]
                        budgets: [{namespace: a, amount: 1, alertAt: [0.5]}]
                        billingAccount: '111122223333'
                        check: {seconds: 9, mebibytes: 9}
                        warm: {pool: {min: 0, max: 2}}
                        cluster: {kind: Knative, namespaces: [a, b], gpuImage: r/i:1, serviceAccountAnnotations: a=b}
                        server: http://127.0.0.1:8080
                        image_base: temurin
                        """)).isEmpty();
        assertThat(ConfigKeys.faults(ConfigFile.read(folder.resolve("none")))).isEmpty();
    }

    @Test
    void reportsEachUnknownKeyOnceWithTheKnownOnes() throws IOException {
        assertThat(faults("""
                        prt: 1
                        hots: {a: 1, b: 2}
                        home: /elsewhere
                        empty:
                        s3: {endpont: x}
                        nodes: [{name: a}, {nam: b}]
                        gc: {evry: 1h}
                        """))
                .satisfiesExactlyInAnyOrder(
                        key -> assertThat(key)
                                .contains("config.yaml: unknown key 'prt'; known are billingAccount, budgets,"),
                        key -> assertThat(key).contains("'hots'"),
                        key -> assertThat(key).contains("'home'"),
                        key -> assertThat(key).contains("'empty'"),
                        key -> assertThat(key).contains("'s3.endpont'; known are addressing, attempts, ca,"),
                        key -> assertThat(key).contains("'nodes[1].nam'; known are capacity, instanceType, name,"),
                        key -> assertThat(key).endsWith("'gc.evry'; known are automatic, every, grace"));
    }

    @Test
    void reportsABrokenFileOnce() throws IOException {
        assertThat(faults("port: [")).singleElement().asString().contains("config.yaml: it is not YAML: ");
        assertThat(faults("just text")).singleElement().asString().contains("it must hold keys and values");
    }

    /** The S3 adapter reads its settings from a map, so their list is kept by hand. */
    @Test
    void knowsEverySettingOfS3() {
        Set<String> read = new TreeSet<>();
        Map<String, String> environment = new HashMap<>(Map.of("AWS_REGION", "eu-central-1")) {
            private static final long serialVersionUID = 1;

            @Override
            public String get(Object name) {
                read.add((String) name);
                return super.get(name);
            }
        };
        Stores.open("s3://bucket", environment).close();
        read.removeIf(name -> !name.startsWith("KNABLA_S3_") && !name.equals("AWS_REGION"));
        assertThat(read)
                .isEqualTo(ConfigKeys.S3.stream()
                        .map(key -> SettingNames.variable(SettingNames.key("s3." + key)))
                        .collect(Collectors.toSet()));
    }
}
