package io.knabla.controller.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.config.ReplicaAccess;
import io.knabla.controller.home.StoreAccess;
import io.knabla.controller.machine.Node;
import io.knabla.controller.machine.Node.CapacityType;
import io.knabla.controller.platform.ReplicaRequest;
import io.knabla.controller.standin.Specs;
import io.knabla.functions.spec.FunctionSpec.FunctionType;
import io.knabla.functions.spec.FunctionSpec.Resources;
import io.knabla.functions.unit.usage.Counters;
import io.knabla.functions.unit.usage.ReplicaTotals;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the pure parts of the local cluster, and the replica log. */
class LocalPartsTest {
    private final ReplicaAccess calls = new ReplicaAccess();

    @TempDir
    Path home;

    @Test
    void aReplicaGetsItsLimitsAndNoneOfOurSecrets() {
        Resources resources = new Resources(Optional.of(1_500L), Optional.of(512L << 20), 0);
        ReplicaRequest request = new ReplicaRequest(
                Specs.id("digits"),
                Specs.inference().resources(resources).batching(8).version(3, Instant.EPOCH),
                "spot");

        ReplicaCommand command = ReplicaCommand.of(
                settings(),
                request,
                "t0ken",
                Path.of("/t"),
                Map.of("PATH", "/bin", "KNABLA_TOKEN", "secret", "AWS_SECRET_ACCESS_KEY", "secret"));

        assertThat(command.command())
                .containsExactly(
                        "/j/java",
                        "-Xmx256m",
                        "-XX:ErrorFile=" + settings().logs().resolve("crash.log"),
                        "-Djava.io.tmpdir=/t",
                        "@/r/replica.args");
        assertThat(command.environment())
                .doesNotContainValue("secret")
                .containsEntry("PATH", "/bin")
                .containsEntry("KNABLA_UNIT", Specs.digest(3).value())
                .containsEntry("KNABLA_MODEL_NAME", "digits")
                .containsEntry("KNABLA_MODEL_VERSION", "3")
                .containsEntry("KNABLA_THREADS", "2")
                .containsEntry("KNABLA_CONCURRENCY", "4")
                .containsEntry("KNABLA_BATCH_MAX_SIZE", "8")
                .containsEntry("KNABLA_TIMEOUT_MS", "30000")
                .containsEntry("KNABLA_REPLICA_TOKEN", "t0ken")
                .containsEntry("KNABLA_STDIN_WATCH", "1")
                .containsEntry("MALLOC_ARENA_MAX", "1");
    }

    @Test
    void onlyATrainingStepIsToldWhereItsStateIs() {
        Specs specs = Specs.inference();

        assertThat(environment(specs)).doesNotContainKey("KNABLA_STATE");
        assertThat(environment(specs.type(FunctionType.TrainingStep)))
                .containsEntry("KNABLA_STATE", "states/default/digits/3-7.safetensors");
    }

    @Test
    void aReplicaIsToldWhoReadsItsPromptsOnceThisServerListens() {
        Specs specs = Specs.inference().type(FunctionType.Generation).prefill("reader");
        assertThat(environment(specs)).doesNotContainKey("KNABLA_PREFILL_URL");

        calls.listens("http://127.0.0.1:8080");

        assertThat(environment(specs))
                .containsEntry("KNABLA_PREFILL_URL", "http://127.0.0.1:8080/functions/default/reader/prefix-blocks")
                .containsEntry("KNABLA_PREFILL_KEY", calls.key());
        assertThat(environment(Specs.inference())).doesNotContainKeys("KNABLA_PREFILL_URL", "KNABLA_PREFILL_KEY");
    }

    @Test
    void passesS3SettingsToReplicas() {
        var access = new StoreAccess("s3://bucket/p", Map.of("AWS_SECRET_ACCESS_KEY", "secret"));
        ReplicaCommand serving = command(access, Specs.inference());
        assertThat(serving.environment())
                .containsEntry("KNABLA_STORE", "s3://bucket/p")
                .containsEntry("AWS_SECRET_ACCESS_KEY", "secret");
        assertThat(serving.command()).contains("@/r/replica.args");
        assertThat(serving.variant().command()).contains("@/r/replica-all.args");
        assertThat(command(access, Specs.inference().type(FunctionType.TrainingStep))
                        .command())
                .contains("@/r/replica-s3.args");
        assertThat(command(access, Specs.inference().type(FunctionType.Encoder)).command())
                .contains("@/r/replica-all.args");
    }

    private LocalSettings settings(StoreAccess access) {
        return new LocalSettings(
                home,
                Path.of("/r/replica.args"),
                Path.of("/j/java"),
                access,
                List.of(),
                calls,
                Duration.ofSeconds(1),
                Duration.ofSeconds(1));
    }

    private LocalSettings settings() {
        return settings(new StoreAccess("file:///s", Map.of("AWS_SECRET_ACCESS_KEY", "secret")));
    }

    private Map<String, String> environment(Specs specs) {
        return command(settings().store(), specs).environment();
    }

    private ReplicaCommand command(StoreAccess access, Specs specs) {
        var request = new ReplicaRequest(Specs.id("digits"), specs.version(3, Instant.ofEpochMilli(7)), "spot");
        return ReplicaCommand.of(settings(access), request, "t", Path.of("/t"), Map.of());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            0   | ended by itself
            134 | aborted
            137 | memory ran out
            139 | segmentation fault
            143 | told to stop
            152 | killed by signal 24
            """)
    void exitCodesAreExplained(int code, String meaning) {
        assertThat(ExitCodes.explain(code)).startsWith("exit code " + code).contains(meaning);
    }

    @Test
    void unknownExitCodesStandAlone() {
        assertThat(ExitCodes.explain(42)).isEqualTo("exit code 42");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\0', textBlock = """
            {"event":"listening","port":8}          | Listening[port=8]
            {"event":"ready","phases":{"boot":1.5}} | Ready[phases={boot=1.5}]
            {"event":"ready"}                       | Ready[phases={}]
            {"event":"failed","error":"no"}         | Failed[error=no]
            {"event":"failed"}                      | Failed[error=it gave no reason]
            {"event":"utilization","percent":175} | Utilization[percent=175]
            {"event":"utilization","percent":2000000000} | Utilization[percent=10000]
            {"event":"gpu-xid","gpu":0,"xid":79,"kind":"Device","meaning":"it fell"} | GpuFailed[error=GpuError[xid=79, costsDevice=true, meaning=it fell]]
            {"event":"gpu-xid","xid":13,"kind":"Application"} | GpuFailed[error=GpuError[xid=13, costsDevice=false, meaning=]]
            {"event":"gpu-xid","xid":"x"}           | Unknown[line={"event":"gpu-xid","xid":"x"}]
            {"event":"listening","port":"x"}        | Unknown[line={"event":"listening","port":"x"}]
            [1]                                     | Unknown[line=[1]]
            {"event":                               | Unknown[line={"event":]
            hello                                   | Unknown[line=hello]
            """)
    void eventsAreRead(String line, String event) {
        assertThat(ReplicaEvent.parse(line)).hasToString(event);
    }

    @Test
    void readsTotalsOfAReplica() {
        assertThat(
                        ReplicaEvent.parse(
                                "{\"event\":\"usage\",\"succeeded\":7,\"failed\":1,\"elements\":64,\"busyMillis\":35,\"cpuMillis\":120,\"residentBytes\":900}"))
                .isEqualTo(new ReplicaEvent.Usage(new ReplicaTotals(7, 1, 64, 35, 120, 900)));
    }

    /** The line is the replica's own: see ReplicaTotalsTest of the module functions/unit. */
    @Test
    void readsCountersOfAReplica() {
        assertThat(ReplicaEvent.parse("""
                {"event":"usage","succeeded":7,"failed":1,"elements":64,"busyMillis":35,"cpuMillis":120,"residentBytes":900,\
                "counters":{"toy_tokens":42}}"""))
                .isEqualTo(new ReplicaEvent.Usage(
                        new ReplicaTotals(7, 1, 64, 35, 120, 900, new Counters(Map.of("toy_tokens", 42L)))));
    }

    @Test
    void anEmptyLineIsNoEvent() {
        assertThat(ReplicaEvent.parse("")).isEqualTo(new ReplicaEvent.Unknown(""));
    }

    @Test
    void aFullLogKeepsItsNewerHalfInWholeLines() throws Exception {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 5_000; i++) {
            text.append("line ").append(i).append('\n');
        }
        ReplicaLog log = new ReplicaLog(home.resolve("a/b.log"), 10_000);
        try (log) {
            log.pump(new ByteArrayInputStream(text.toString().getBytes(StandardCharsets.UTF_8)));
        }

        List<String> lines = Files.readAllLines(log.file());
        assertThat(Files.size(log.file())).isBetween(1L, 10_000L);
        assertThat(lines).last().isEqualTo("line 4999");
        assertThat(lines).allMatch(line -> line.matches("line \\d+"));
        assertThat(log.lastLine()).isEqualTo("line 4999");
    }

    @Test
    void aLogThatFoundNoRoomForItsHalfGoesOn() throws Exception {
        Path half = Files.createSymbolicLink(home.resolve("b.log.part"), Path.of("/dev/full"));
        ReplicaLog log = new ReplicaLog(home.resolve("b.log"), 100);
        try (log) {
            for (int i = 10; i < 16; i++) {
                log.note("line " + i);
            }
            assertThat(log.file()).content().contains("line 10", "line 15");
            for (int i = 16; i < 22; i++) {
                log.note("line " + i);
            }
        }

        assertThat(Files.readAllLines(log.file())).containsExactly("[knabla] line 20", "[knabla] line 21");
        assertThat(half).doesNotExist();
    }

    @Test
    void theStandardNodesHaveBothTypesInTwoZones() {
        List<Node> nodes = LocalNodes.of(List.of(), 2);

        assertThat(nodes).extracting(Node::name).containsExactly("on-demand-a", "on-demand-b", "spot-a", "spot-b");
        assertThat(nodes).extracting(Node::zone).containsExactly("local-a", "local-b", "local-a", "local-b");
        assertThat(nodes)
                .filteredOn(node -> node.capacityType() == CapacityType.Spot)
                .hasSize(2);
        assertThat(nodes).allMatch(node -> node.slots() == 8);
    }
}
