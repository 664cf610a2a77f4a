package io.knabla.controller.cli.doctor.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.knabla.controller.cli.doctor.Finding;
import io.knabla.controller.cli.doctor.Finding.Grade;
import io.knabla.controller.cli.doctor.store.StorePolicy.Role;
import io.knabla.storage.Content;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.StorageException;
import io.knabla.storage.s3.S3Server;
import io.knabla.storage.s3.servers.RealServer;
import io.knabla.storage.setup.Stores;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Checks the policies on a server that enforces them: they suffice for Knabla, and every action is needed. */
class PolicyOnRealServers {
    private static final String PREFIX = "/some/prefix";

    @TempDir
    static Path folder;

    private static S3Server moto;
    private static MotoUsers users;
    private static String location;

    @BeforeAll
    static void start() throws Exception {
        moto = RealServer.MOTO.start(folder);
        users = new MotoUsers(moto);
        location = "s3://" + users.bucket() + PREFIX;
    }

    @AfterAll
    static void stop() {
        moto.close();
    }

    @Test
    void controllerPolicySuffices() throws Exception {
        try (ObjectStore store = open("controller", policy(Role.controller))) {
            assertThat(StoreChecksTest.examine(store))
                    .filteredOn(finding -> finding.grade() == Grade.bad)
                    .isEmpty();
            runControllerOperations(store);
        }
    }

    /** Runs presigned uploads, resumed and aborted, a large write and a sweep of old uploads. */
    private static void runControllerOperations(ObjectStore store) throws IOException {
        // Tests of policies without the right to abort leave uploads in this bucket.
        store.abortStaleUploads(Instant.now());
        var presigned = store.presigned().orElseThrow();
        ObjectKey key = ObjectKey.of("incoming", "upload");
        String id = presigned.begin(key, 100, Duration.ofHours(1)).id();
        assertThat(presigned.begin(key, 100, Duration.ofHours(1)).id()).isEqualTo(id);
        presigned.abort(key, id);
        ObjectKey large = ObjectKey.of("blobs", "large");
        assertThat(store.createOnce(large, Content.of(new byte[20 << 20]))).isPresent();
        assertThat(store.abortStaleUploads(Instant.now())).isZero();
        assertThat(store.delete(large)).isTrue();
    }

    @ParameterizedTest
    @MethodSource
    void everyControllerActionIsNeeded(String action) throws Exception {
        JsonNode lesser = without(action, policy(Role.controller));
        try (ObjectStore store = open("no-" + action.substring(3), lesser)) {
            List<Finding> findings = StoreChecksTest.examine(store);

            assertThat(findings)
                    .filteredOn(finding -> finding.grade() == Grade.bad)
                    .isNotEmpty()
                    .anyMatch(finding ->
                            finding.found().contains(action) || finding.fix().contains(action));
        }
    }

    static List<String> everyControllerActionIsNeeded() {
        List<String> actions = new ArrayList<>();
        policy(Role.controller).get("Statement").forEach(statement -> {
            JsonNode action = statement.get("Action");
            (action.isArray() ? action : List.of(action)).forEach(one -> actions.add(one.asText()));
        });
        return actions;
    }

    @Test
    void inferencePolicyReadsOnlyUnits() throws Exception {
        fill();
        try (ObjectStore store = open("inference", policy(Role.inference))) {
            assertThat(store.read(ObjectKey.of("units", "a.json"))).isPresent();
            assertThat(store.stat(ObjectKey.of("blobs", "a"))).isPresent();
            denied(() -> store.read(ObjectKey.of("catalog", "a.json")));
            denied(() -> store.read(ObjectKey.of("states", "a")));
            denied(() -> store.write(ObjectKey.of("units", "b.json"), Content.of(new byte[1])));
            denied(() -> store.list("").toList());
            denied(() -> store.delete(ObjectKey.of("units", "a.json")));
        }
    }

    @Test
    void trainingPolicyAlsoWritesStates() throws Exception {
        fill();
        try (ObjectStore store = open("training", policy(Role.training))) {
            assertThat(store.read(ObjectKey.of("units", "a.json"))).isPresent();
            ObjectKey state = ObjectKey.of("states", "new");
            assertThat(store.stat(state)).isEmpty();
            Optional<String> etag = store.createOnce(state, Content.of(new byte[] {1}));
            assertThat(store.replaceIfMatch(state, etag.orElseThrow(), Content.of(new byte[] {2})))
                    .isPresent();
            assertThat(store.createOnce(ObjectKey.of("states", "large"), Content.of(new byte[20 << 20])))
                    .isPresent();
            denied(() -> store.write(ObjectKey.of("units", "b.json"), Content.of(new byte[1])));
            denied(() -> store.write(ObjectKey.of("catalog", "a.json"), Content.of(new byte[1])));
        }
    }

    private static void fill() throws Exception {
        try (ObjectStore store = open("filler-" + System.nanoTime(), policy(Role.controller))) {
            for (String key : List.of("units/a.json", "blobs/a", "catalog/a.json", "states/a")) {
                store.write(new ObjectKey(key), Content.of(new byte[] {1}));
            }
        }
    }

    private static void denied(ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOf(StorageException.class).hasMessageContaining("access denied");
    }

    private static ObjectStore open(String user, JsonNode policy) throws Exception {
        Map<String, String> environment = users.user(user, policy);
        return Stores.open(location, environment);
    }

    /** The policy without conditions, because moto supports none on S3. */
    private static ObjectNode policy(Role role) {
        JsonNode policy = StorePolicy.of(location(), "", Optional.empty()).document(role);
        policy.get("Statement").forEach(statement -> ((ObjectNode) statement).remove("Condition"));
        return (ObjectNode) policy;
    }

    /** A placeholder until the server runs, because JUnit computes the parameters earlier. */
    private static String location() {
        return location == null ? "s3://bucket" : location;
    }

    private static JsonNode without(String action, ObjectNode policy) {
        policy.get("Statement").forEach(statement -> {
            if (statement.get("Action") instanceof ArrayNode actions) {
                List<JsonNode> kept = Stream.of(actions)
                        .flatMap(all -> all.valueStream())
                        .filter(one -> !one.asText().equals(action))
                        .toList();
                actions.removeAll().addAll(kept);
            } else if (statement.get("Action").asText().equals(action)) {
                ((ObjectNode) statement).put("Action", "s3:NothingAtAll");
            }
        });
        return policy;
    }
}
