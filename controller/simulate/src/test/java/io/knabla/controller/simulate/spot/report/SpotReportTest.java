package io.knabla.controller.simulate.spot.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.simulate.spot.Comparison;
import io.knabla.controller.simulate.spot.Comparison.Row;
import io.knabla.controller.simulate.spot.Scenario;
import io.knabla.controller.simulate.spot.trace.TraceReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;

class SpotReportTest {
    private static final List<Row> ROWS = Comparison.run(
            Scenario.skyServe(TraceReader.read("</script>", "time,zone,available\n0,a,1\n3600,a,1\n")),
            List.of("Adaptive"),
            1);

    @Test
    void pageHoldsItsDataAndLibrary() throws IOException {
        var out = new ByteArrayOutputStream();

        SpotPage.write(ROWS, out);

        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("\"policy\":\"Adaptive\"", "\\u003c/script>", "echarts")
                .doesNotContain("@@");
    }

    @Test
    void pictureIsPng() throws IOException {
        var out = new ByteArrayOutputStream();

        SpotPicture.write(ROWS, out);

        assertThat(ImageIO.read(new ByteArrayInputStream(out.toByteArray())).getWidth())
                .isEqualTo(1200);
    }
}
