package io.knabla.controller.spot.policy;

/**
 * Reads the region from the name or id of a zone: AWS names (us-east-1a) and ids (use1-az1), GCP (us-central1-a), Azure
 * (westeurope-1). Without regular expressions, since every decision asks for every zone.
 */
public final class Regions {
    private Regions() {}

    /** The zone itself if its name follows no known pattern. */
    public static String of(String zone) {
        int last = zone.length() - 1;
        if (last > 0 && isLetter(zone.charAt(last)) && isDigit(zone.charAt(last - 1))) {
            return zone.substring(0, last);
        }
        int dash = zone.lastIndexOf('-');
        return dash >= 0 && isZone(zone.substring(dash + 1)) ? zone.substring(0, dash) : zone;
    }

    /** One letter or digit, or {@code az} and a number. */
    private static boolean isZone(String end) {
        if (end.length() == 1) {
            return isLetter(end.charAt(0)) || isDigit(end.charAt(0));
        }
        return end.length() > 2 && end.startsWith("az") && end.chars().skip(2).allMatch(each -> isDigit((char) each));
    }

    private static boolean isLetter(char each) {
        return each >= 'a' && each <= 'z';
    }

    private static boolean isDigit(char each) {
        return each >= '0' && each <= '9';
    }
}
