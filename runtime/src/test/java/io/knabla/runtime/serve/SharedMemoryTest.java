package io.knabla.runtime.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.functions.Onnx;
import io.knabla.functions.compiler.onnx.ElementType;
import io.knabla.runtime.shm.SharedRegions;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Triton's system shared memory extension, on real shared memory. */
@EnabledOnOs(OS.LINUX)
class SharedMemoryTest {
    private static final int BYTES = 64;

    private final String key = "knabla-test-" + UUID.randomUUID();
    private final Path object = Path.of("/dev/shm", key);
    private RunningReplica replica;

    @BeforeEach
    void start() throws IOException {
        Files.write(object, floats(1, 2, 3, 4));
        replica = RunningReplica.withSharedMemory(TestModels.identity(ElementType.FLOAT));
    }

    @AfterEach
    void stop() throws IOException {
        replica.close();
        Files.deleteIfExists(object);
    }

    /** These values, then zeros. */
    private static byte[] floats(float... values) {
        var bytes = ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN);
        for (float value : values) {
            bytes.putFloat(value);
        }
        return bytes.array();
    }

    private static HttpResponse<String> post(RunningReplica to, String path, String body) throws Exception {
        return to.client()
                .send(
                        to.request(path)
                                .POST(BodyPublishers.ofString(body.replace('\'', '"')))
                                .build(),
                        BodyHandlers.ofString());
    }

    private HttpResponse<String> register(String name, String body) throws Exception {
        return post(replica, SharedRegions.PATH + "/region/" + name + "/register", body);
    }

    private String registration() {
        return "{'key':'/" + key + "','offset':0,'byte_size':" + BYTES + "}";
    }

    private static String request(int count, String input, String output) {
        return "{'inputs':[{'name':'x','datatype':'FP32','shape':[%d],'parameters':{'shared_memory_region':'r',%s}}],'outputs':[{'name':'y','parameters':{%s}}]}"
                .formatted(count, input, output);
    }

    @Test
    void tensorsAreReadAndWrittenWhereTheClientHasThem() throws Exception {
        assertThat(register("r", registration()).statusCode()).isEqualTo(200);
        var answer = replica.infer(request(
                4,
                "'shared_memory_byte_size':16",
                "'shared_memory_region':'r','shared_memory_offset':32,'shared_memory_byte_size':16"));
        assertThat(answer.body())
                .contains(
                        "\"parameters\":{\"binary_data_size\":0,\"shared_memory_region\":\"r\",\"shared_memory_offset\":32,\"shared_memory_byte_size\":16}");
        assertThat(Files.readAllBytes(object)).isEqualTo(floats(1, 2, 3, 4, 0, 0, 0, 0, 1, 2, 3, 4));
        // The next request of this shape must not be given the client's memory.
        String plain = "{'inputs':[{'name':'x','datatype':'FP32','shape':[4],'data':[9,9,9,9]}]}";
        assertThat(replica.infer(plain).body()).contains("[9.0,9.0,9.0,9.0]");
        assertThat(Files.readAllBytes(object)).startsWith(new byte[] {0, 0, (byte) 0x80, 0x3f});
    }

    @Test
    void aNewObjectOfTheSameNameIsMappedAnew() throws Exception {
        register("r", registration());
        String read = request(1, "'shared_memory_byte_size':4", "'binary_data':false");
        assertThat(replica.infer(read).body()).contains("[1.0]");
        Files.delete(object);
        Files.write(object, floats(7));
        assertThat(replica.infer(read).body()).contains("[7.0]");
    }

    @Test
    void regionsAreListedAndForgotten() throws Exception {
        register("r", registration());
        register("s", registration());
        assertThat(replica.get(SharedRegions.PATH + "/region/s/status").body())
                .isEqualTo("[{\"name\":\"s\",\"key\":\"/" + key + "\",\"offset\":0,\"byte_size\":64}]");
        assertThat(register("r", registration()).body()).contains("already registered");
        assertThat(post(replica, SharedRegions.PATH + "/region/r/unregister", "")
                        .statusCode())
                .isEqualTo(200);
        assertThat(replica.get(SharedRegions.PATH + "/status").body())
                .contains("\"s\"")
                .doesNotContain("\"r\"");
        assertThat(post(replica, SharedRegions.PATH + "/unregister", "").statusCode())
                .isEqualTo(200);
        assertThat(replica.get(SharedRegions.PATH + "/status").body()).isEqualTo("[]");
        // Triton's examples do so before they begin.
        assertThat(post(replica, SharedRegions.CUDA_PATH + "/unregister", "").statusCode())
                .isEqualTo(200);
        assertThat(replica.get("/v2").body()).contains("system_shared_memory");
    }

    @ParameterizedTest
    @CsvSource({"../etc/passwd", "/../x", "a/b", ".hidden", "''", "/"})
    void aKeyIsANameAndNoPath(String bad) throws Exception {
        HttpResponse<String> answer = register("r", "{'key':'" + bad + "','byte_size':4}");
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body()).contains("key is '" + bad + "'; write the name of a shared memory object");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "17 | 'shared_memory_byte_size':68                             | 68 bytes from byte 0 on are not within",
                "1  | 'shared_memory_offset':61,'shared_memory_byte_size':4    | 4 bytes from byte 61 on are not within",
                "1  | 'shared_memory_offset':9223372036854775807,'shared_memory_byte_size':4 | 4 bytes from byte 9223372036854775807 on are not within",
                "5  | 'shared_memory_byte_size':16                             | needs 20 bytes",
                "1  | 'shared_memory_offset':4                                 | needs shared_memory_byte_size",
                "1  | 'shared_memory_byte_size':4,'binary_data_size':4         | write only one"
            },
            quoteCharacter = '~')
    void partsAreWithinTheirRegion(int count, String parameters, String sentence) throws Exception {
        register("r", registration());
        var answer = replica.infer(request(count, parameters, "'binary_data':false"));
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body()).contains(sentence);
    }

    @Test
    void outputsMustFitTheirPart() throws Exception {
        String output = "'shared_memory_region':'r','shared_memory_byte_size':12";
        register("r", registration());
        var answer = replica.infer(request(4, "'shared_memory_byte_size':16", output));
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body()).contains("output 'y' has 16 bytes, but its part of shared memory region 'r' has 12");
        var fixed = new Onnx()
                .input("x", ElementType.FLOAT, 2, 2)
                .output("y", ElementType.FLOAT, 2, 2)
                .node("Identity", List.of("x"), "y")
                .build();
        try (var known = RunningReplica.withSharedMemory(fixed)) {
            post(known, SharedRegions.PATH + "/region/r/register", registration());
            var early = known.infer(
                    request(4, "'shared_memory_byte_size':16", output).replace("[4]", "[2,2]"));
            assertThat(early.body()).isEqualTo(answer.body());
            assertThat(known.engine().runs()).isZero();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'byte_size':64,'offset':-1                   | offset is -1; write the bytes of the object before the region, 0 to",
                "'byte_size':64,'offset':1.5                  | offset is 1.5;",
                "'byte_size':64,'offset':'0'                  | offset is \\\"0\\\";",
                "'byte_size':64,'offset':[0]                  | offset is no number;",
                "'byte_size':64,'offset':9223372036854775807  | offset is 9223372036854775807; write the bytes of the object before the region, 0 to 9223372036854775743",
                "'byte_size':2147483648,'offset':0            | byte_size is 2147483648; write the bytes of the region, 1 to 2147483647",
                "'byte_size':99999999999999999999             | byte_size is 99999999999999999999;",
                "'byte_size':0                                | byte_size is 0;",
                "'byte_size':'64'                             | byte_size is \\\"64\\\";",
                "'byte_size':1e1                              | byte_size is 1e1;",
                "'byte_size':null                             | byte_size is missing;",
                "'note':{'byte_size':64}                      | byte_size is missing;",
                "'byte_size':64,'byte_size':4                 | no JSON object with each member once"
            },
            quoteCharacter = '~')
    void numbersOfARegionAreReadAsJsonHasThem(String members, String sentence) throws Exception {
        HttpResponse<String> answer = register("r", "{'key':'/" + key + "'," + members + "}");
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body()).contains(sentence);
    }

    @Test
    void aByteOrderMarkIsSkipped() throws Exception {
        assertThat(register("r", "\uFEFF" + registration()).statusCode()).isEqualTo(200);
    }

    @Test
    void onlyMembersOfTheRegistrationItselfCount() throws Exception {
        String nested =
                "{'note':{'key':'/other','offset':60},'text':'\\u0022offset\\u0022:60','key':'/%s','byte_size':64}";
        assertThat(register("r", nested.formatted(key)).statusCode()).isEqualTo(200);
        assertThat(replica.get(SharedRegions.PATH + "/region/r/status").body())
                .isEqualTo("[{\"name\":\"r\",\"key\":\"/" + key + "\",\"offset\":0,\"byte_size\":64}]");
    }

    /** The object has holes only: memory is taken when its pages are touched. */
    private void registerTheLargestRegion() throws Exception {
        try (var sparse = FileChannel.open(object, StandardOpenOption.WRITE)) {
            sparse.write(ByteBuffer.wrap(new byte[1]), Integer.MAX_VALUE);
        }
        register("r", "{'key':'" + key + "','byte_size':" + Integer.MAX_VALUE + "}");
    }

    @Test
    void aTensorIsNoLargerThanABodyHoweverLargeItsRegionIs() throws Exception {
        registerTheLargestRegion();
        var answer = replica.infer(request(536_870_911, "'shared_memory_byte_size':2147483644", "'binary_data':true"));
        assertThat(answer.statusCode()).isEqualTo(413);
        assertThat(answer.body()).contains("more than the 1048576 that a tensor may take");
    }

    @Test
    void partsOfTheLargestRegionAreRead() throws Exception {
        registerTheLargestRegion();
        String last = "'shared_memory_byte_size':4,'shared_memory_offset':2147483643";
        assertThat(replica.infer(request(1, last, "'binary_data':false")).body())
                .contains("\"data\":[0.0]");
    }

    @Test
    void whatIsNotThereIsRefused() throws Exception {
        String read = request(1, "'shared_memory_byte_size':4", "'binary_data':false");
        assertThat(replica.infer(read).body()).contains("Unable to find shared memory region: 'r'");
        register("r", "{'key':'" + key + "','offset':60,'byte_size':8}");
        assertThat(replica.infer(read).body()).contains("has no 8 bytes from 60 on");
        post(replica, SharedRegions.PATH + "/unregister", "");
        register("r", "{'key':'" + key + "x','byte_size':8}");
        assertThat(replica.infer(read).body()).contains("cannot be opened");
        Files.createSymbolicLink(Path.of(object + "x"), Path.of("/etc/hostname"));
        try {
            assertThat(replica.infer(read).statusCode()).isEqualTo(400);
        } finally {
            Files.delete(Path.of(object + "x"));
        }
    }

    @Test
    void isOffUnlessItIsSet() throws Exception {
        try (var closed = new RunningReplica(TestModels.identity(ElementType.FLOAT), RunningReplica.PLAIN)) {
            assertThat(post(closed, SharedRegions.PATH + "/region/r/register", registration())
                            .statusCode())
                    .isEqualTo(404);
            var answer = closed.infer(request(1, "'shared_memory_byte_size':4", "'binary_data':false"));
            assertThat(answer.statusCode()).isEqualTo(501);
            assertThat(answer.body()).contains("KNABLA_SHARED_MEMORY");
        }
    }

    /** Only the gateway, which knows the token, may name regions in a header. */
    @Test
    void aGatewayNamesRegionsInAHeader() throws Exception {
        String read = request(1, "'shared_memory_byte_size':4", "'binary_data':false");
        try (var behind = new RunningReplica(TestModels.identity(ElementType.FLOAT), RunningReplica.PLAIN, "t")) {
            var answer = behind.client()
                    .send(
                            behind.request("/v2/models/m/infer")
                                    .header("Knabla-Replica-Token", "t")
                                    .header(SharedRegions.HEADER, "q=other:0:4,r=" + key + ":0:64")
                                    .POST(RunningReplica.body(read))
                                    .build(),
                            BodyHandlers.ofString());
            assertThat(answer.body()).contains("[1.0]");
        }
        var direct = replica.client()
                .send(
                        replica.request("/v2/models/m/infer")
                                .header(SharedRegions.HEADER, "r=" + key + ":0:64")
                                .POST(RunningReplica.body(read))
                                .build(),
                        BodyHandlers.ofString());
        assertThat(direct.statusCode()).isEqualTo(400);
    }
}
