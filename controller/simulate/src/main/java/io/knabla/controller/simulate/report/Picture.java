package io.knabla.controller.simulate.report;

import java.awt.Color;
import java.io.IOException;
import java.io.OutputStream;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.BitmapEncoder.BitmapFormat;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.Styler.LegendPosition;

/** Charts as PNG pictures, all in one style. */
public final class Picture {
    private static final Color GRID = new Color(0xE3E6EA);

    private Picture() {}

    public static XYChart chart(String title, String xAxis, String yAxis) {
        XYChart chart = new XYChartBuilder()
                .width(1200)
                .height(720)
                .title(title)
                .xAxisTitle(xAxis)
                .yAxisTitle(yAxis)
                .build();
        var style = chart.getStyler();
        style.setLegendPosition(LegendPosition.OutsideE);
        style.setLegendBorderColor(Color.WHITE);
        style.setChartBackgroundColor(Color.WHITE);
        style.setPlotBorderVisible(false);
        style.setPlotGridLinesColor(GRID);
        style.setChartTitleBoxVisible(false);
        style.setMarkerSize(8);
        return chart;
    }

    public static void write(XYChart chart, OutputStream out) throws IOException {
        BitmapEncoder.saveBitmap(chart, out, BitmapFormat.PNG);
    }
}
