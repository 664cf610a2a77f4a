package io.knabla.controller.simulate.spot.report;

import io.knabla.controller.simulate.report.Picture;
import io.knabla.controller.simulate.spot.Comparison.Row;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYSeries.XYSeriesRenderStyle;

/** Draws cost against availability as a PNG picture. */
public final class SpotPicture {
    private SpotPicture() {}

    public static void write(List<Row> rows, OutputStream out) throws IOException {
        XYChart chart = Picture.chart(
                rows.getFirst().trace(), "cost, relative to all on demand", "availability, % of the time");
        chart.getStyler().setDefaultSeriesRenderStyle(XYSeriesRenderStyle.Scatter);
        chart.getStyler().setMarkerSize(12);
        for (Row row : rows) {
            chart.addSeries(
                    row.policy(), new double[] {row.cost().doubleValue()}, new double[] {100 * row.availability()});
        }
        Picture.write(chart, out);
    }
}
