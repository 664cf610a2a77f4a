package io.knabla.controller.simulate.warm.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.simulate.warm.Comparison;
import io.knabla.controller.simulate.warm.ComparisonResult;
import io.knabla.controller.simulate.warm.PolicyName;
import io.knabla.controller.simulate.warm.ReplayOptions;
import io.knabla.controller.simulate.warm.trace.TraceGenerator;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;

class WarmReportTest {
    private static final int ADAPTIVE = 0xff1f5fbf;

    /** Never wastes nothing, which a logarithmic scale lacks. */
    private static final ComparisonResult RESULT = new ComparisonResult(Stream.of(
                    PolicyName.Never, PolicyName.Fixed, PolicyName.Adaptive, PolicyName.Omniscient)
            .flatMap(policy -> new Comparison(
                            "</script>", List.of(new TraceGenerator(3, 1).generate(3)), ReplayOptions.defaults())
                    .curve(policy).stream())
            .toList());

    @Test
    void pageHoldsItsDataAndLibrary() throws IOException {
        var out = new ByteArrayOutputStream();

        WarmPage.write(RESULT, out);

        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("\"policy\":\"Adaptive\"", "\"other\":\"Fixed\"", "\\u003c/script>", "echarts")
                .doesNotContain("@@");
    }

    @Test
    void pictureShowsTheCurveOfAdaptive() throws IOException {
        var out = new ByteArrayOutputStream();

        WarmPicture.write(RESULT, out);

        BufferedImage picture = ImageIO.read(new ByteArrayInputStream(out.toByteArray()));
        long drawn = IntStream.range(0, picture.getWidth())
                .filter(x -> IntStream.range(0, picture.getHeight()).anyMatch(y -> picture.getRGB(x, y) == ADAPTIVE))
                .count();
        assertThat(drawn).isGreaterThan(picture.getWidth() / 4);
    }
}
