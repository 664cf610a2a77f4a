package io.knabla.controller.cost.query;

/** Formats that a report is written in. */
public enum CostFormat {
    JSON("application/json"),
    /** One line per row of the table. */
    CSV("text/csv; charset=utf-8"),
    /** FOCUS 1.2: what was paid, whatever the main scenario is. */
    FOCUS("text/csv; charset=utf-8"),
    /** One page that loads nothing; what was paid, whatever the main scenario is. */
    HTML("text/html; charset=utf-8"),
    /** What a live page shows. */
    PAGE_DATA("application/json"),
    /** {@link TerminalReport} as JSON. */
    TABLE("application/json");

    private final String mediaType;

    CostFormat(String mediaType) {
        this.mediaType = mediaType;
    }

    public String mediaType() {
        return mediaType;
    }

    /** Whether it shows more than sums by one dimension, which takes the amount of every replica. */
    boolean needsLines() {
        return switch (this) {
            case FOCUS, HTML, PAGE_DATA -> true;
            case JSON, CSV, TABLE -> false;
        };
    }

    boolean showsForecasts() {
        return switch (this) {
            case JSON, TABLE -> true;
            case CSV, FOCUS, HTML, PAGE_DATA -> false;
        };
    }
}
