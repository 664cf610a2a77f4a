package io.knabla.controller.cost.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Computes from the style sheet whether colours can be read and told apart, also with colour-blind eyes. */
class PaletteTest {
    private static final List<String> KINDS =
            List.of("use", "idle", "cold-start", "over-provision", "interruption", "overhead");
    private static final List<String> HEAT = List.of("h0", "h1", "h2", "h3", "h4", "h5");

    /** Machado, Oliveira and Fernandes (2009), severity 1.0, on linear RGB. */
    private static final Map<String, double[][]> EYES = Map.of(
            "all cones", new double[][] {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
            "protanopia",
                    new double[][] {
                        {0.152286, 1.052583, -0.204868},
                        {0.114503, 0.786281, 0.099216},
                        {-0.003882, -0.048116, 1.051998}
                    },
            "deuteranopia",
                    new double[][] {
                        {0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}
                    },
            "tritanopia",
                    new double[][] {
                        {1.255528, -0.076749, -0.178779},
                        {-0.078411, 0.930809, 0.147602},
                        {0.004733, 0.691367, 0.303900}
                    });

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void textsHaveTheContrastOfWcagAa(int theme) throws IOException {
        Map<String, double[]> colors = colors(theme);
        for (String background : List.of("surface", "page")) {
            for (String text : List.of("ink", "soft", "link")) {
                assertThat(contrast(colors.get(text), colors.get(background)))
                        .as("%s on %s", text, background)
                        .isGreaterThanOrEqualTo(4.5);
            }
        }
        assertThat(contrast(colors.get("ink"), colors.get("warn"))).isGreaterThanOrEqualTo(4.5);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void barsStandOutFromTheirBackground(int theme) throws IOException {
        Map<String, double[]> colors = colors(theme);
        assertThat(KINDS)
                .allSatisfy(kind -> assertThat(contrast(colors.get(kind), colors.get("surface")))
                        .isGreaterThanOrEqualTo(3));
    }

    /** A difference of 2 can be seen side by side; 20 is another colour. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void barsDifferForAllEyes(int theme) throws IOException {
        Map<String, double[]> colors = colors(theme);
        for (Map.Entry<String, double[][]> eyes : EYES.entrySet()) {
            for (int i = 0; i < KINDS.size(); i++) {
                for (int j = 0; j < i; j++) {
                    assertThat(difference(colors.get(KINDS.get(i)), colors.get(KINDS.get(j)), eyes.getValue()))
                            .as("%s and %s, %s", KINDS.get(i), KINDS.get(j), eyes.getKey())
                            .isGreaterThan(20);
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void stepsOfTheHeatMapGoOneWayInLightness(int theme) throws IOException {
        Map<String, double[]> colors = colors(theme);
        List<Double> lightness =
                HEAT.stream().map(name -> lab(colors.get(name))[0]).toList();
        double way = lightness.getLast() - lightness.getFirst();
        assertThat(IntStream.range(1, HEAT.size())
                        .mapToDouble(i -> Math.signum(way) * (lightness.get(i) - lightness.get(i - 1))))
                .allMatch(step -> step > 5);
    }

    @Test
    void contrastOfBlackAndWhiteIsTheLargest() {
        assertThat(contrast(new double[] {0, 0, 0}, new double[] {1, 1, 1})).isEqualTo(21);
    }

    /** Linear RGB by name; 1 is the light theme, 2 the dark one. */
    private static Map<String, double[]> colors(int theme) throws IOException {
        try (InputStream in = CostPage.class.getResourceAsStream("page.css")) {
            String css = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            Matcher matcher = Pattern.compile("--([\\w-]+): light-dark\\(#(\\w{6}), #(\\w{6})\\)")
                    .matcher(css);
            Map<String, double[]> colors = new HashMap<>();
            while (matcher.find()) {
                int rgb = Integer.parseInt(matcher.group(1 + theme), 16);
                colors.put(matcher.group(1), new double[] {linear(rgb >> 16), linear(rgb >> 8), linear(rgb)});
            }
            return colors;
        }
    }

    private static double linear(int value) {
        double part = (value & 0xff) / 255.0;
        return part <= 0.04045 ? part / 12.92 : Math.pow((part + 0.055) / 1.055, 2.4);
    }

    /** Relative luminance and contrast as WCAG 2 defines them. */
    private static double contrast(double[] one, double[] other) {
        double a = luminance(one) + 0.05;
        double b = luminance(other) + 0.05;
        return Math.max(a, b) / Math.min(a, b);
    }

    private static double luminance(double[] rgb) {
        return 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2];
    }

    /** CIE 1976 distance. */
    private static double difference(double[] one, double[] other, double[][] eyes) {
        double[] a = lab(seen(one, eyes));
        double[] b = lab(seen(other, eyes));
        return Math.sqrt(IntStream.range(0, 3)
                .mapToDouble(i -> (a[i] - b[i]) * (a[i] - b[i]))
                .sum());
    }

    private static double[] seen(double[] rgb, double[][] eyes) {
        List<Double> seen = new ArrayList<>();
        for (double[] row : eyes) {
            seen.add(Math.clamp(row[0] * rgb[0] + row[1] * rgb[1] + row[2] * rgb[2], 0, 1));
        }
        return seen.stream().mapToDouble(Double::doubleValue).toArray();
    }

    private static double[] lab(double[] rgb) {
        double x = cubeRoot((0.4124564 * rgb[0] + 0.3575761 * rgb[1] + 0.1804375 * rgb[2]) / 0.95047);
        double y = cubeRoot(luminance(rgb));
        double z = cubeRoot((0.0193339 * rgb[0] + 0.1191920 * rgb[1] + 0.9503041 * rgb[2]) / 1.08883);
        return new double[] {116 * y - 16, 500 * (x - y), 200 * (y - z)};
    }

    private static double cubeRoot(double value) {
        return value > 216.0 / 24389 ? Math.cbrt(value) : (24389.0 / 27 * value + 16) / 116;
    }
}
