package io.knabla.controller.spot.report;

import io.knabla.controller.spot.simulate.Comparison.Row;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.BitmapEncoder.BitmapFormat;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries.XYSeriesRenderStyle;
import org.knowm.xchart.style.Styler.LegendPosition;

/** Draws cost against availability as a PNG picture. */
public final class ComparisonPicture {
    private ComparisonPicture() {}

    public static void write(List<Row> rows, OutputStream out) throws IOException {
        XYChart chart = new XYChartBuilder()
                .width(1000)
                .height(600)
                .title(rows.getFirst().trace())
                .xAxisTitle("cost, relative to all on demand")
                .yAxisTitle("availability, % of the time")
                .build();
        chart.getStyler().setDefaultSeriesRenderStyle(XYSeriesRenderStyle.Scatter);
        chart.getStyler().setLegendPosition(LegendPosition.OutsideE);
        chart.getStyler().setMarkerSize(12);
        for (Row row : rows) {
            chart.addSeries(
                    row.policy(), new double[] {row.cost().doubleValue()}, new double[] {100 * row.availability()});
        }
        BitmapEncoder.saveBitmap(chart, out, BitmapFormat.PNG);
    }
}
