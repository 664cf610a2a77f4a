package io.knabla.controller.simulate.warm.report;

import io.knabla.controller.pages.HtmlPage;
import io.knabla.controller.simulate.report.ComparisonPage;
import io.knabla.controller.simulate.warm.ComparisonResult;
import io.knabla.controller.simulate.warm.PolicyName;
import java.io.IOException;
import java.io.OutputStream;
import java.util.EnumMap;
import java.util.Map;

/** Writes the curves of policies as an HTML page. */
public final class WarmPage {
    private WarmPage() {}

    public static void write(ComparisonResult result, OutputStream out) throws IOException {
        Map<PolicyName, String> colors = new EnumMap<>(PolicyName.class);
        result.curves().keySet().forEach(policy -> colors.put(policy, PolicyStyle.color(policy)));
        ComparisonPage.write(
                "Keep-warm policies compared",
                Map.of("rows", result.rows(), "atEqualWaste", result.atEqualWaste(), "colors", colors),
                HtmlPage.resource(WarmPage.class, "curves.js"),
                out);
    }
}
