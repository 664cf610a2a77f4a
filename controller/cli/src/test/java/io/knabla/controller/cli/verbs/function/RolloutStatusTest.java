package io.knabla.controller.cli.verbs.function;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.knabla.controller.cli.verbs.function.RolloutStatus.Failed;
import io.knabla.controller.cli.verbs.function.RolloutStatus.InProgress;
import io.knabla.controller.cli.verbs.function.RolloutStatus.Ready;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RolloutStatusTest {
    private static final InProgress UNSEEN = new InProgress("waiting for the controller");

    @Test
    void readyIfNewestVersionServes() {
        assertThat(verdict(2, 2, "Ready:True:Ready")).isEqualTo(new Ready());
    }

    @Test
    void ignoresStatusOfOlderGeneration() {
        JsonNode function = function(1, 1, 1, "Ready:True:Ready");

        assertThat(RolloutStatus.of(function, 2)).isEqualTo(UNSEEN);
    }

    @Test
    void notReadyIfOlderVersionServes() {
        assertThat(verdict(2, 1, "Placed:Unknown:Starting", "Ready:True:Ready"))
                .isEqualTo(new InProgress("Starting: of Placed"));
    }

    @Test
    void failsOnPermanentReason() {
        assertThat(verdict(2, 1, "Ready:True:Ready", "Packaged:False:ModelRefused"))
                .isEqualTo(new Failed("ModelRefused", "of Packaged"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Declined", "NameTaken", "BucketMissing", "PodRefused"})
    void failsOnReasonThatNeedsAction(String reason) {
        assertThat(verdict(1, 0, "Packaged:True:Packaged", "Placed:False:" + reason))
                .isEqualTo(new Failed(reason, "of Placed"));
    }

    @Test
    void afterUploadWaitsOnlyForMissingModel() {
        assertThat(verdict(1, 0, "Packaged:False:ModelMissing").afterModelUpload())
                .isInstanceOf(InProgress.class);
        assertThat(verdict(1, 0, "Packaged:False:ModelRefused").afterModelUpload())
                .isEqualTo(new Failed("ModelRefused", "of Packaged"));
    }

    @Test
    void earlierSplitMayExcludeNewestVersion() throws IOException {
        JsonNode split = new ObjectMapper().readTree("""
                                {"spec": {"traffic": [
                                  {"version": 1, "percent": 100}, {"version": 2, "percent": 0}]}}""");

        assertThat(RolloutStatus.receivesRequests(split, 1)).isTrue();
        assertThat(RolloutStatus.receivesRequests(split, 2)).isFalse();
        assertThat(RolloutStatus.receivesRequests(split, 3)).isFalse();
        assertThat(RolloutStatus.receivesRequests(function(1, 1, 1), 1)).isTrue();
    }

    @Test
    void waitsForUnschedulablePod() {
        assertThat(verdict(1, 0, "Packaged:True:Packaged", "Placed:False:Unschedulable"))
                .isEqualTo(new InProgress("Unschedulable: of Placed"));
    }

    @Test
    void waitsForFirstStatus() throws IOException {
        assertThat(RolloutStatus.of(new ObjectMapper().readTree("{\"metadata\": {}}"), 1))
                .isEqualTo(UNSEEN);
    }

    private static RolloutStatus verdict(int latest, int ready, String... conditions) {
        return RolloutStatus.of(function(1, latest, ready, conditions), 1);
    }

    /** @param conditions type, status and reason, with colons */
    private static JsonNode function(int seen, int latest, int ready, String... conditions) {
        var function = new ObjectMapper().createObjectNode();
        var status = function.putObject("status");
        status.put("observedGeneration", seen).put("latestVersion", latest);
        status.put("readyVersion", ready);
        var all = status.putArray("conditions");
        for (String condition : conditions) {
            String[] parts = condition.split(":");
            all.addObject()
                    .put("type", parts[0])
                    .put("status", parts[1])
                    .put("reason", parts[2])
                    .put("message", "of " + parts[0]);
        }
        return function;
    }
}
