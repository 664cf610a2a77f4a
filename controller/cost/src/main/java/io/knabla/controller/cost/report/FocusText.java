package io.knabla.controller.cost.report;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.knabla.controller.cost.scenario.CostLine;
import io.knabla.controller.cost.scenario.FunctionVersion;
import io.knabla.controller.usage.NodeInterval;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Locale;

/** Texts of FOCUS rows. */
final class FocusText {
    /** FOCUS asks for a prefix of tags that are not the user's own. */
    static final String TAG_PREFIX = "knabla/";

    private static final JsonFactory JSON = new JsonFactory();

    private FocusText() {}

    static String pricingCategory(NodeInterval node) {
        return switch (node.capacity()) {
            case ON_DEMAND -> "Standard";
            case SPOT -> "Dynamic";
        };
    }

    /** As in {@code m7i.large on demand: use of shop/rank@3}. */
    static String description(FocusRow row) {
        String capacity = switch (row.node().capacity()) {
            case ON_DEMAND -> "on demand";
            case SPOT -> "on spot";
        };
        String type =
                row.node().instanceType().isBlank() ? "a machine" : row.node().instanceType();
        String of = row.line().function().map(version -> " of " + version).orElse("");
        return "%s %s: %s%s".formatted(type, capacity, part(row.line()).replace('_', ' '), of);
    }

    /** Null if the node has no name beside its id. */
    static String resourceName(NodeInterval node) {
        return node.name().isBlank() || node.name().equals(node.id()) ? null : node.name();
    }

    /** A JSON object of texts. */
    static String tags(FocusRow row) {
        CostLine line = row.line();
        StringWriter text = new StringWriter();
        try (JsonGenerator out = JSON.createGenerator(text)) {
            out.writeStartObject();
            if (line.function().isPresent()) {
                FunctionVersion version = line.function().get();
                out.writeStringField(TAG_PREFIX + "function", version.function());
                out.writeStringField(TAG_PREFIX + "namespace", version.namespace());
                out.writeStringField(TAG_PREFIX + "version", Integer.toString(version.version()));
                out.writeStringField(TAG_PREFIX + "replica", line.row());
            }
            out.writeStringField(TAG_PREFIX + "part", part(line));
            if (row.assumed()) {
                out.writeStringField(TAG_PREFIX + "price", "assumed");
            }
            out.writeEndObject();
        } catch (IOException impossible) {
            throw new UncheckedIOException("writing to memory failed", impossible);
        }
        return text.toString();
    }

    private static String part(CostLine line) {
        return line.part().name().toLowerCase(Locale.ROOT);
    }
}
