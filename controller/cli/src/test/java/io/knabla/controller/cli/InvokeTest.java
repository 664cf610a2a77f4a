package io.knabla.controller.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.knabla.controller.cli.FakePlatform.RecordedRequest;
import io.knabla.controller.cli.FakePlatform.Reply;
import io.knabla.controller.cli.print.Documents;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InvokeTest {
    private static final String MODEL = "/functions/default/toy/v2/models/toy";
    private static final String ANSWER = """
            {"model_name": "toy", "outputs": [
              {"name": "logits", "datatype": "FP32", "shape": [1, 3], "data": [0.0, 9.0, 1.0]}]}
            """;

    private final FakePlatform platform = new FakePlatform();

    @TempDir
    Path folder;

    @BeforeEach
    void answer() {
        platform.on(
                "POST " + MODEL + "/infer",
                new Reply(
                        200,
                        Map.of(
                                "Knabla-Start", "cold",
                                "Knabla-Version", "4",
                                "Server-Timing", "queue;dur=80.4, infer;dur=0.4"),
                        ANSWER));
    }

    @AfterEach
    void stop() {
        platform.close();
    }

    private void input(String datatype, String shape) {
        platform.on(
                "GET " + MODEL,
                Reply.ok("{\"inputs\": [{\"name\": \"image\", \"datatype\": \"%s\", \"shape\": %s}]}"
                        .formatted(datatype, shape)));
    }

    private CommandResult invoke(byte[] bytes, String... more) throws IOException {
        Path file = Files.write(folder.resolve("input"), bytes);
        var args = new ArrayList<>(List.of("invoke", "toy", "--input", file.toString(), "--server", platform.url()));
        args.addAll(List.of(more));
        return CommandResult.knabla(args.toArray(String[]::new));
    }

    private JsonNode sentJson() throws IOException {
        return Documents.JSON.readTree(header());
    }

    private String header() {
        RecordedRequest asked = platform.asked("POST " + MODEL + "/infer");
        String length = asked.headers().get("inference-header-content-length");
        return length == null ? asked.text() : asked.text().substring(0, Integer.parseInt(length));
    }

    private ByteBuffer sentBytes() {
        RecordedRequest asked = platform.asked("POST " + MODEL + "/infer");
        int from = Integer.parseInt(asked.headers().get("inference-header-content-length"));
        return ByteBuffer.wrap(asked.body(), from, asked.body().length - from)
                .slice()
                .order(ByteOrder.LITTLE_ENDIAN);
    }

    @Test
    void sendsWholeRequestUnchangedAndShowsAnswer() throws IOException {
        byte[] request = "{\"inputs\": []}".getBytes(StandardCharsets.UTF_8);

        CommandResult invoke = invoke(request);

        assertThat(platform.asked("POST " + MODEL + "/infer").body()).isEqualTo(request);
        assertThat(invoke.out()).contains("logits FP32 [1,3]", "likeliest: 1 (100.0 %), 2 (0.0 %)");
        assertThat(invoke.err()).contains("version 4, start cold", "queue 80 ms · infer 0.4 ms");
    }

    @Test
    void jsonHasResponseAndHeaderValues() throws IOException {
        CommandResult invoke = invoke("{\"inputs\": []}".getBytes(StandardCharsets.UTF_8), "-o", "json");

        JsonNode json = Documents.JSON.readTree(invoke.out());
        assertThat(json.at("/outputs/0/name").asText()).isEqualTo("logits");
        assertThat(json.at("/knabla/start").asText()).isEqualTo("cold");
        assertThat(json.at("/knabla/phases/queue").asDouble()).isEqualTo(80.4);
    }

    @Test
    void aFolderStandsForItsFilesByName() throws IOException {
        Path images = Files.createDirectory(folder.resolve("inputs"));
        for (String name : List.of("2.json", "1.json", ".hidden")) {
            Files.writeString(images.resolve(name), "{\"inputs\": []}");
        }
        Files.createDirectory(images.resolve("3.json"));

        CommandResult table =
                CommandResult.knabla("invoke", "toy", "--input", images.toString(), "--server", platform.url());
        CommandResult json = CommandResult.knabla(
                "invoke", "toy", "--input", images.toString(), "--server", platform.url(), "-o", "json");

        assertThat(table.out().lines())
                .containsSubsequence("1.json", "logits FP32 [1,3]", "2.json", "logits FP32 [1,3]");
        assertThat(Documents.JSON
                        .readerFor(JsonNode.class)
                        .<JsonNode>readValues(json.out())
                        .readAll())
                .extracting(answer -> answer.at("/knabla/input").asText())
                .containsExactly("1.json", "2.json");
    }

    @Test
    void aFileOfAFolderThatCannotBeSentIsNamed() throws IOException {
        Path inputs = Files.createDirectory(folder.resolve("inputs"));
        Files.writeString(inputs.resolve("1.json"), "{\"inputs\": []}");
        Files.writeString(inputs.resolve("2.json"), "{\"inputs\"");

        CommandResult result =
                CommandResult.knabla("invoke", "toy", "--input", inputs.toString(), "--server", platform.url());

        assertThat(result.status()).isEqualTo(1);
        assertThat(result.out().lines()).contains("1.json").doesNotContain("2.json");
        assertThat(result.err()).contains(inputs.resolve("2.json") + ": ");
    }

    @Test
    void aFolderWithoutFilesAndAnAbsentFileAreTold() {
        assertThat(CommandResult.knabla("invoke", "toy", "--input", folder.toString(), "--server", platform.url())
                        .err())
                .contains("cannot read " + folder + ": the folder has no file");
        Path absent = folder.resolve("absent");
        assertThat(CommandResult.knabla("invoke", "toy", "--input", absent.toString(), "--server", platform.url())
                        .err())
                .contains("cannot read " + absent + ": there is no such file");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    [1, 2, 3]       | [1,3]
                    [[1, 2], [3, 4]]| [2,2]
                    {"image": [5]}  | [1,1]
                    """)
    void plainValuesGetNameTypeAndShape(String values, String shape) throws IOException {
        input("FP32", "[-1, -1]");

        invoke(values.getBytes(StandardCharsets.UTF_8));

        JsonNode sent = sentJson().at("/inputs/0");
        assertThat(sent.path("name").asText()).isEqualTo("image");
        assertThat(sent.path("datatype").asText()).isEqualTo("FP32");
        assertThat(sent.path("shape")).hasToString(shape);
    }

    @Test
    void sendsNumpyAsBinary() throws IOException {
        input("INT32", "[-1]");
        String header = "{'descr': '<i4', 'fortran_order': False, 'shape': (2,), }\n";
        var file = ByteBuffer.allocate(10 + header.length() + 8).order(ByteOrder.LITTLE_ENDIAN);
        file.put(new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0});
        file.putShort((short) header.length());
        file.put(header.getBytes(StandardCharsets.US_ASCII)).putInt(7).putInt(-1);

        invoke(file.array());

        assertThat(sentJson().at("/inputs/0/datatype").asText()).isEqualTo("INT32");
        assertThat(sentJson().at("/inputs/0/shape")).hasToString("[2]");
        assertThat(sentBytes().getInt(0)).isEqualTo(7);
        assertThat(sentBytes().getInt(4)).isEqualTo(-1);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    light ink on dark stays   | 0   | 255
                    dark ink on light inverts | 255 | 0
                    """)
    void invertsGreyPictureWithLightBorder(String situation, int paper, int ink) throws IOException {
        input("FP32", "[-1, 1, 4, 4]");
        var image = new BufferedImage(4, 4, BufferedImage.TYPE_BYTE_GRAY);
        for (int i = 0; i < 16; i++) {
            image.getRaster().setSample(i % 4, i / 4, 0, i == 5 ? ink : paper);
        }

        invoke(png(image));

        assertThat(sentJson().at("/inputs/0/shape")).hasToString("[1,1,4,4]");
        assertThat(sentBytes().getFloat(5 * 4)).isEqualTo(1f);
        assertThat(sentBytes().getFloat(0)).isEqualTo(0f);
    }

    @Test
    void keepsGreySamplesUnconverted() throws IOException {
        input("FP32", "[1, 1, 3, 3]");
        var image = new BufferedImage(3, 3, BufferedImage.TYPE_BYTE_GRAY);
        image.getRaster().setSample(1, 1, 0, 102);

        invoke(png(image));

        assertThat(sentBytes().getFloat(4 * 4)).isCloseTo(0.4f, org.assertj.core.data.Offset.offset(1e-5f));
    }

    @Test
    void keepsColourChannelsInLayoutOfModel() throws IOException {
        input("UINT8", "[-1, 2, 2, 3]");
        var image = new BufferedImage(2, 2, BufferedImage.TYPE_INT_RGB);
        image.setRGB(0, 0, 0x102030);

        invoke(png(image));

        assertThat(sentBytes().get(0)).isEqualTo((byte) 0x10);
        assertThat(sentBytes().get(2)).isEqualTo((byte) 0x30);
        assertThat(sentBytes().remaining()).isEqualTo(12);
    }

    @ParameterizedTest
    @CsvSource({"2, the size of the model", "4, another size"})
    void paintsTransparentPicturesOverWhite(int size, String situation) throws IOException {
        input("UINT8", "[1, 2, 2, 3]");
        var image = new BufferedImage(size, size, BufferedImage.TYPE_INT_ARGB);
        for (int i = 0; i < size * size / 2; i++) {
            image.setRGB(i % size, i / size, 0x80ff0000);
        }

        invoke(png(image));

        byte[] pixels = new byte[12];
        sentBytes().get(pixels);
        assertThat(pixels)
                .inHexadecimal()
                .containsExactly(0xff, 0x7f, 0x7f, 0xff, 0x7f, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff);
    }

    @Test
    void rejectsPictureForOtherInputs() throws IOException {
        input("FP32", "[1, 16]");

        CommandResult invoke = invoke(png(new BufferedImage(2, 2, BufferedImage.TYPE_INT_RGB)));

        assertThat(invoke.status()).isEqualTo(1);
        assertThat(invoke.err()).contains("[1, 16]", "does not look like a picture", ".npy or JSON");
    }

    @Test
    void rejectsUnknownInputFormat() throws IOException {
        CommandResult invoke = invoke("{oops".getBytes(StandardCharsets.UTF_8));

        assertThat(invoke.status()).isEqualTo(1);
        assertThat(invoke.err()).contains("neither JSON (reading stopped at line 1, column");
    }

    private static byte[] png(BufferedImage image) throws IOException {
        var out = new java.io.ByteArrayOutputStream();
        ImageIO.write(image, "png", out);
        return out.toByteArray();
    }
}
