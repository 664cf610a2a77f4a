package io.knabla.controller.spot.policy;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the region from the name or id of a zone. */
public final class Regions {
    /** AWS names (us-east-1a) and ids (use1-az1), GCP (us-central1-a), Azure (westeurope-1). */
    private static final Pattern ZONE = Pattern.compile("(.*\\d)[a-z]|(.*)-az\\d+|(.*)-[a-z0-9]");

    private Regions() {}

    /** The zone itself if its name follows no known pattern. */
    public static String of(String zone) {
        Matcher matcher = ZONE.matcher(zone);
        if (!matcher.matches()) {
            return zone;
        }
        for (int group = 1; group <= matcher.groupCount(); group++) {
            if (matcher.group(group) != null) {
                return matcher.group(group);
            }
        }
        return zone;
    }
}
