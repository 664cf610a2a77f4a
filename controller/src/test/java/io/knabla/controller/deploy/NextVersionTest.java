package io.knabla.controller.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.knabla.controller.catalog.FunctionRecord;
import io.knabla.functions.spec.FunctionResource;
import io.knabla.functions.spec.FunctionSpec;
import io.knabla.functions.spec.FunctionSpec.TrafficTarget;
import io.knabla.functions.spec.FunctionYaml;
import io.knabla.functions.spec.Parsed.Valid;
import io.knabla.functions.unit.Digest;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NextVersionTest {
    private static final Digest A = new Digest("sha256:" + "a".repeat(64));
    private static final Digest B = new Digest("sha256:" + "b".repeat(64));

    private static NextVersion deploy(Digest unit, String more) {
        String yaml = """
                apiVersion: knabla.dev/v1alpha1
                kind: Function
                metadata: {name: digits}
                spec: {model: "%s", %s}
                """.formatted(unit, more);
        FunctionResource resource = ((Valid) FunctionYaml.parse(yaml)).resource();
        return new NextVersion(PlacedResource.asAsked(resource), unit, unit, Instant.EPOCH);
    }

    private static FunctionRecord first() {
        return deploy(A, "").after(Optional.empty()).record();
    }

    private static FunctionRecord split(FunctionRecord record, TrafficTarget... targets) {
        return new FunctionRecord(record.id(), record.versions(), List.of(targets), "etag");
    }

    @Test
    void startsWithVersionOne() {
        var answer = deploy(A, "").after(Optional.empty());
        assertThat(answer.added()).isTrue();
        assertThat(answer.record().latest().number()).isEqualTo(1);
        assertThat(answer.record().traffic()).isEmpty();
    }

    @Test
    void changesNothingOnAnIdenticalDeploy() {
        var answer = deploy(A, "").after(Optional.of(first()));
        assertThat(answer.added()).isFalse();
        assertThat(answer.record()).isEqualTo(first());
        assertThat(answer.warnings()).isEmpty();
    }

    @Test
    void addsAVersionForAnotherModelOrSpec() {
        assertThat(deploy(B, "").after(Optional.of(first())).record().latest().number())
                .isEqualTo(2);
        assertThat(deploy(A, "timeout: 1s").after(Optional.of(first())).added()).isTrue();
    }

    @Test
    void aCanaryIsTheLatestVersionAlsoIfNothingChanged() {
        String canary = "traffic: [{version: 1, percent: 90}, {latest: true, percent: 10, tag: canary}]";

        FunctionRecord second = deploy(B, canary).after(Optional.of(first())).record();

        assertThat(second.traffic())
                .containsExactly(
                        new TrafficTarget(1, 90), TrafficTarget.latest(10).tagged("canary"));
        assertThat(second.effectiveTraffic().getLast().version()).isEqualTo(2);
        assertThat(deploy(B, canary).after(Optional.of(second)).warnings()).isEmpty();
    }

    @Test
    void aTagMustFitIntoAHostName() {
        String yaml = "traffic: [{version: 1, percent: 100, tag: candidate}]";
        FunctionResource named = deploy(A, yaml).resource();
        var longest = new FunctionResource("default", "x".repeat(60), named.spec());

        assertThat(NextVersion.trafficFaults(Optional.empty(), named)).isEmpty();
        assertThat(NextVersion.trafficFaults(Optional.empty(), longest))
                .singleElement()
                .asString()
                .contains("spec.traffic[0].tag", "longer than 63 letters");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            scaling: {min: 1}                       | scaling.min 1 (was 0)
            scaling: {max: 3, idleAfter: 5s}        | scaling.max 3 (was 10), scaling.idleAfter 5s (was 1m)
            scaling: {targetUtilization: 0.5}       | scaling.targetUtilization 0.5 (was 0.7)
            keepWarm: {policy: Never}               | keepWarm.policy Never (was Adaptive)
            keepWarm: {idleTimeout: 5m}             | keepWarm.idleTimeout 5m (was 10m)
            keepWarm: {coldStartCost: 0.5}          | keepWarm.coldStartCost 0.5 (was 0.001)
            """)
    void changesScaleBoundsWithoutANewVersion(String wish, String told) {
        FunctionRecord before = first();

        var answer = deploy(A, wish).after(Optional.of(before));

        assertThat(answer.added()).isFalse();
        assertThat(answer.warnings())
                .singleElement()
                .asString()
                .contains("version 1 now has " + told, "no replica is restarted");
        assertThat(answer.record().versions()).hasSize(1);
        var version = answer.record().latest();
        assertThat(version.created()).isEqualTo(before.latest().created());
        assertThat(version.spec().scaling()).isEqualTo(spec(wish).scaling());
        assertThat(version.spec().keepWarm()).isEqualTo(spec(wish).keepWarm());
        assertThat(deploy(A, wish).after(Optional.of(answer.record())).warnings())
                .isEmpty();
    }

    private static FunctionSpec spec(String wish) {
        return deploy(A, wish).resource().spec();
    }

    @Test
    void changesScaleBoundsOfTheNewestVersionOnly() {
        FunctionRecord two = deploy(B, "").after(Optional.of(first())).record();

        var answer = deploy(B, "scaling: {max: 2}, traffic: [{version: 1, percent: 100}]")
                .after(Optional.of(two));

        assertThat(answer.added()).isFalse();
        assertThat(answer.warnings()).hasSize(2);
        assertThat(answer.record().versions())
                .extracting(version -> version.spec().scaling().max())
                .containsExactly(10, 2);
        assertThat(answer.record().traffic()).containsExactly(new TrafficTarget(1, 100));
    }

    /** A replica is started with these settings. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "scaling: {concurrency: 5}",
                "placement: {capacity: Spot}",
                "batching: {maxSize: 2}",
                "resources: {cpu: 250m}"
            })
    void addsAVersionForReplicaSettings(String wish) {
        assertThat(deploy(A, wish).after(Optional.of(first())).added()).isTrue();
    }

    @Test
    void sendsAllTrafficToANewVersionByDefault() {
        FunctionRecord pinned = split(first(), new TrafficTarget(1, 100));
        var all = deploy(B, "").after(Optional.of(pinned));
        assertThat(all.record().traffic()).isEmpty();
        assertThat(all.warnings()).singleElement().asString().contains("traffic was 1=100");

        var some = deploy(B, "traffic: [{version: 1, percent: 90}, {version: 2, percent: 10}]")
                .after(Optional.of(pinned));
        assertThat(some.record().traffic()).containsExactly(new TrafficTarget(1, 90), new TrafficTarget(2, 10));
    }

    @Test
    void changesTrafficWithoutANewVersion() {
        var answer = deploy(A, "traffic: [{version: 1, percent: 100}]").after(Optional.of(first()));
        assertThat(answer.added()).isFalse();
        assertThat(answer.record().traffic()).containsExactly(new TrafficTarget(1, 100));
    }

    @Test
    void warnsAboutTrafficAfterARollback() {
        FunctionRecord two = deploy(B, "").after(Optional.of(first())).record();
        var answer = deploy(B, "").after(Optional.of(split(two, new TrafficTarget(1, 100))));
        assertThat(answer.added()).isFalse();
        assertThat(answer.warnings())
                .singleElement()
                .asString()
                .contains("traffic stays at 1=100: version 1 answers", "./knabla traffic");
    }

    @Test
    void rejectsTrafficToAnUnknownVersion() {
        var wish = deploy(A, "traffic: [{version: 3, percent: 100}]");
        assertThatThrownBy(() -> wish.after(Optional.of(first())))
                .isInstanceOf(FaultsException.class)
                .hasMessageContaining("there is no version 3");
    }

    /** The version would be the next one, but the deploy adds none. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "traffic: [{version: 2, percent: 100}]",
                "traffic: [{version: 1, percent: 90}, {version: 2, percent: 10}]",
                "scaling: {max: 3}, traffic: [{version: 2, percent: 100}]"
            })
    void rejectsTrafficToTheNextVersionWhereNoneIsAdded(String wish) {
        var again = deploy(A, wish);
        assertThatThrownBy(() -> again.after(Optional.of(first())))
                .isInstanceOf(FaultsException.class)
                .hasMessageContaining("spec.traffic")
                .hasMessageContaining("there is no version 2; there are [1]");
        assertThat(deploy(B, wish).after(Optional.of(first())).added()).isTrue();
    }

    @Test
    void keepsTrafficWhenAResourceDefinesIt() {
        String canary = "traffic: [{version: 1, percent: 90}, {version: 2, percent: 10}]";
        var before = Optional.of(first());
        var added = deploy(B, canary).after(before).withTrafficOf(before);
        assertThat(added.record().versions()).hasSize(2);
        assertThat(added.record().traffic()).containsExactly(new TrafficTarget(1, 100));

        var split = Optional.of(split(added.record(), new TrafficTarget(2, 100)));
        var same = deploy(B, canary).after(split).withTrafficOf(split);
        assertThat(same.added()).isFalse();
        assertThat(same.record().traffic()).containsExactly(new TrafficTarget(2, 100));
        assertThat(deploy(A, "").after(before).withTrafficOf(before).record().traffic())
                .isEmpty();
        assertThat(deploy(A, "traffic: [{version: 1, percent: 100}]")
                        .after(Optional.empty())
                        .withTrafficOf(Optional.empty())
                        .record()
                        .traffic())
                .isEmpty();
    }
}
