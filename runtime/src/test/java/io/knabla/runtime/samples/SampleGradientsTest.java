package io.knabla.runtime.samples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import io.knabla.runtime.check.GradientCheck;
import io.knabla.runtime.check.GradientCheckResult;
import io.knabla.runtime.engine.Engine;
import io.knabla.runtime.engine.EngineSettings;
import io.knabla.runtime.units.TestReplica;
import io.knabla.runtime.units.TestUnit;
import java.io.ByteArrayInputStream;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Serves the samples, differentiated and packaged as by the platform, in a real replica. */
@Timeout(300)
class SampleGradientsTest {
    /** The first numbers of an output, or of a Tesseract array. */
    private static List<Float> numbers(HttpResponse<String> answer, String name) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        Matcher found = Pattern.compile(
                        "\"%s\"[^}]*?(?:\"data\":\\[|\"buffer\":\\[*)([^\\]}]*)".formatted(Pattern.quote(name)))
                .matcher(answer.body());
        assertThat(found.find()).as(name + " in " + answer.body()).isTrue();
        var numbers = new ArrayList<Float>();
        for (String one : found.group(1).split(",")) {
            if (one.matches("[-0-9.E]+")) {
                numbers.add(Float.parseFloat(one));
            }
        }
        return numbers;
    }

    @ParameterizedTest
    @ValueSource(strings = {"lecture", "exp", "digits-gradient"})
    void gradientsPassTheCheck(String sample) throws Exception {
        try (var unit = TestUnit.sample(sample);
                var engine = Engine.open(unit.folder(), unit.manifest(), EngineSettings.DEFAULTS)) {
            assertThat(GradientCheck.check(engine, unit.manifest()))
                    .hasValueSatisfying(verdict -> assertThat(verdict)
                            .isInstanceOfSatisfying(GradientCheckResult.Agrees.class, agrees -> {
                                assertThat(agrees.error()).isLessThan(0.01);
                                assertThat(agrees.kinks()).isZero();
                            }));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"lecture", "exp", "digits-gradient"})
    void answersMatchTheSamples(String sample) throws Exception {
        Path folder = Path.of("../functions/samples", sample);
        String promised = Files.readString(folder.resolve("expected.json"));
        try (var unit = TestUnit.sample(sample);
                var replica = new TestReplica(unit)) {
            HttpResponse<String> answer = replica.infer(Files.readString(folder.resolve("request.json")));
            Matcher names = Pattern.compile("\"name\": \"([^\"]*)\".*?\"data\": \\[([^\\]]*)")
                    .matcher(promised);
            int checked = 0;
            while (names.find()) {
                List<Float> found = numbers(answer, names.group(1));
                String[] wanted = names.group(2).split(", ");
                assertThat(found).hasSameSizeAs(wanted);
                for (int i = 0; i < wanted.length; i++) {
                    float value = Float.parseFloat(wanted[i]);
                    assertThat(found.get(i)).isCloseTo(value, offset(2e-5f * Math.max(1, Math.abs(value))));
                    checked++;
                }
            }
            assertThat(checked).isPositive();
        }
    }

    /** ln x1 + x1·x2 - sin x2 at (2, 5): (1/x1 + x2, x1 - cos x2). */
    @Test
    void differentiatesTextbookFunctionThroughTesseract() throws Exception {
        try (var unit = TestUnit.sample("lecture");
                var replica = new TestReplica(unit)) {
            String at = "'inputs':{'x1':2,'x2':5}";
            float y = (float) (Math.log(2) + 10 - Math.sin(5));
            float slope = (float) (2 - Math.cos(5));
            assertThat(numbers(replica.post("/apply", "{" + at + "}"), "y").getFirst())
                    .isCloseTo(y, offset(1e-5f));
            HttpResponse<String> jacobian =
                    replica.post("/jacobian", "{" + at + ",'jac_inputs':['x1','x2'],'jac_outputs':['y']}");
            assertThat(jacobian.body()).contains("\"buffer\":5.5");
            assertThat(scalar(jacobian, "x2")).isCloseTo(slope, offset(1e-5f));
            HttpResponse<String> jvp = replica.post(
                    "/jacobian_vector_product",
                    "{" + at + ",'jvp_inputs':['x1','x2'],'jvp_outputs':['y'],'tangent_vector':{'x1':1,'x2':-2}}");
            assertThat(scalar(jvp, "y")).isCloseTo(5.5f - 2 * slope, offset(1e-5f));
            HttpResponse<String> vjp = replica.post(
                    "/vector_jacobian_product",
                    "{" + at + ",'vjp_inputs':['x2'],'vjp_outputs':['y'],'cotangent_vector':{'y':3}}");
            assertThat(scalar(vjp, "x2")).isCloseTo(3 * slope, offset(1e-5f));
        }
    }

    private static float scalar(HttpResponse<String> answer, String name) {
        return numbers(answer, name).getFirst();
    }

    @Test
    void theLossFallsOverTrainingSteps() throws Exception {
        byte[] rows;
        try (var in = new GZIPInputStream(new ByteArrayInputStream(
                Files.readAllBytes(Path.of("../functions/samples/digits-training/digits.gz"))))) {
            rows = in.readAllBytes();
        }
        try (var unit = TestUnit.sample("digits-training");
                var replica = new TestReplica(unit)) {
            float first = 0;
            float last = 0;
            for (int step = 0; step < 100; step++) {
                HttpResponse<String> answer = replica.infer(batch(rows, step * 16, 16));
                last = scalar(answer, "loss");
                first = step == 0 ? last : first;
                assertThat(scalar(answer, "step")).isEqualTo(step + 1);
            }
            assertThat(first).isCloseTo(2.3f, offset(0.4f));
            assertThat(last).isLessThan(first / 2);
        }
    }

    private static String batch(byte[] rows, int from, int count) {
        var pixels = new StringBuilder();
        var labels = new StringBuilder();
        for (int row = from; row < from + count; row++) {
            for (int i = 0; i < 64; i++) {
                pixels.append(rows[row * 65 + i] / 16f).append(',');
            }
            labels.append(rows[row * 65 + 64]).append(',');
        }
        pixels.setLength(pixels.length() - 1);
        labels.setLength(labels.length() - 1);
        return String.format(
                Locale.ROOT,
                "{'inputs':[{'name':'image','datatype':'FP32','shape':[%d,1,8,8],'data':[%s]},{'name':'label','datatype':'INT64','shape':[%d],'data':[%s]}]}",
                count,
                pixels,
                count,
                labels);
    }
}
