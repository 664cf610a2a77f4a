package io.knabla.controller.price;

import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds the AWS region that a zone id such as {@code use1-az4} names. */
public final class ZoneIds {
    private static final Pattern ZONE_ID =
            Pattern.compile("(us|eu|ap|sa|ca|me|af|il|mx|cn)(g?)([nsew]|[ns][ew]|c)(\\d+)-.*");
    private static final Map<String, String> DIRECTIONS = Map.of(
            "n",
            "north",
            "s",
            "south",
            "e",
            "east",
            "w",
            "west",
            "c",
            "central",
            "ne",
            "northeast",
            "nw",
            "northwest",
            "se",
            "southeast",
            "sw",
            "southwest");

    private ZoneIds() {}

    /** Returns the region, such as {@code us-east-1}; empty if the text is no zone id of AWS. */
    public static Optional<String> region(String zoneId) {
        Matcher parts = ZONE_ID.matcher(zoneId);
        return parts.matches()
                ? Optional.of("%s%s-%s-%s"
                        .formatted(
                                parts.group(1),
                                parts.group(2).isEmpty() ? "" : "-gov",
                                DIRECTIONS.get(parts.group(3)),
                                parts.group(4)))
                : Optional.empty();
    }
}
