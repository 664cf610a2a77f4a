package io.knabla.controller.simulate.warm.report;

import io.knabla.controller.simulate.report.Picture;
import io.knabla.controller.simulate.warm.ComparisonResult;
import io.knabla.controller.simulate.warm.PolicyName;
import io.knabla.controller.simulate.warm.ResultRow;
import java.awt.BasicStroke;
import java.awt.Color;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Comparator;
import java.util.List;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Draws the curves of policies, cold requests against wasted memory on logarithmic scales, as a PNG picture. */
public final class WarmPicture {
    private WarmPicture() {}

    public static void write(ComparisonResult result, OutputStream out) throws IOException {
        XYChart chart = Picture.chart(
                result.rows().getFirst().trace(), "wasted memory, GB·s", "requests that waited for a start, %");
        chart.getStyler().setXAxisLogarithmic(true).setXAxisDecimalPattern("#,##0");
        chart.getStyler().setYAxisLogarithmic(true).setYAxisDecimalPattern("0.####");
        chart.getStyler().setYAxisMin(powerOfTenBelow(result)).setYAxisMax(100.0);
        result.curves().forEach((policy, rows) -> {
            // A logarithmic scale has no zero.
            List<ResultRow> points = rows.stream()
                    .filter(row -> row.wastedGbSeconds() > 0 && row.coldRate() > 0)
                    .sorted(Comparator.comparingDouble(ResultRow::wastedGbSeconds))
                    .toList();
            if (!points.isEmpty()) {
                style(policy, chart.addSeries(policy.name(), xs(points), ys(points)));
            }
        });
        Picture.write(chart, out);
    }

    /** The axis has labels at powers of ten only. */
    private static double powerOfTenBelow(ComparisonResult result) {
        double least = result.rows().stream()
                .mapToDouble(row -> 100 * row.coldRate())
                .filter(percent -> percent > 0)
                .min()
                .orElse(1);
        return Math.pow(10, Math.floor(Math.log10(least)));
    }

    private static double[] xs(List<ResultRow> points) {
        return points.stream().mapToDouble(ResultRow::wastedGbSeconds).toArray();
    }

    private static double[] ys(List<ResultRow> points) {
        return points.stream().mapToDouble(row -> 100 * row.coldRate()).toArray();
    }

    private static void style(PolicyName policy, XYSeries series) {
        Color color = Color.decode(PolicyStyle.color(policy));
        series.setLineColor(color);
        series.setMarkerColor(color);
        series.setLineStyle(new BasicStroke(policy == PolicyName.Adaptive ? 4f : 1.8f));
        series.setMarker(
                switch (policy) {
                    case Omniscient -> SeriesMarkers.DIAMOND;
                    case Never, Always -> SeriesMarkers.SQUARE;
                    case Adaptive, Fixed, Hybrid, LSTH, GreedyDual, SPES, Timer, RainbowCake -> SeriesMarkers.CIRCLE;
                });
    }
}
