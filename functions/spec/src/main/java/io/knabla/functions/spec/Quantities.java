package io.knabla.functions.spec;

import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses and formats Kubernetes resource quantities: {@code 500m} of a core, {@code 512Mi} of memory. */
public final class Quantities {
    private static final Pattern FORM = Pattern.compile("(\\d{1,18}(?:\\.\\d{1,9})?)([A-Za-z]*)");
    private static final Map<String, Long> BYTES = new LinkedHashMap<>();

    static {
        BYTES.put("Ti", 1L << 40);
        BYTES.put("Gi", 1L << 30);
        BYTES.put("Mi", 1L << 20);
        BYTES.put("Ki", 1L << 10);
        BYTES.put("T", 1_000_000_000_000L);
        BYTES.put("G", 1_000_000_000L);
        BYTES.put("M", 1_000_000L);
        BYTES.put("k", 1_000L);
        BYTES.put("", 1L);
    }

    private static final Map<String, Long> MILLI_CORES = Map.of("", 1_000L, "m", 1L);

    /** Unit of a quantity, with its pattern for CEL. */
    enum Unit {
        CPU("[0-9]{1,18}(\\.[0-9]{1,3}0{0,6})?|[0-9]{1,18}(\\.0{1,9})?m"),
        BYTES("[0-9]{1,18}(\\.[0-9]{1,9})?([KMGT]i|[kMGT])?");

        private final String form;

        Unit(String form) {
            this.form = form;
        }

        String form() {
            return form;
        }

        Optional<Long> parse(String text) {
            return switch (this) {
                case CPU -> parseCpu(text);
                case BYTES -> parseBytes(text);
            };
        }

        String format(long amount) {
            return switch (this) {
                case CPU -> formatCpu(amount);
                case BYTES -> formatBytes(amount);
            };
        }
    }

    private Quantities() {}

    /** Parses CPU into thousandths of a core. */
    public static Optional<Long> parseCpu(String text) {
        return parse(text, MILLI_CORES);
    }

    public static Optional<Long> parseBytes(String text) {
        return parse(text, BYTES);
    }

    /** Also empty if the amount is not a whole number of the smallest unit, or overflows. */
    private static Optional<Long> parse(String text, Map<String, Long> units) {
        Matcher parts = FORM.matcher(text);
        if (!parts.matches() || !units.containsKey(parts.group(2))) {
            return Optional.empty();
        }
        BigDecimal unit = BigDecimal.valueOf(units.get(parts.group(2)));
        try {
            return Optional.of(new BigDecimal(parts.group(1)).multiply(unit).longValueExact());
        } catch (ArithmeticException notWhole) {
            return Optional.empty();
        }
    }

    public static String formatCpu(long milliCores) {
        return milliCores % 1_000 == 0 ? Long.toString(milliCores / 1_000) : milliCores + "m";
    }

    /** Formats in the largest binary unit that divides the amount. */
    public static String formatBytes(long bytes) {
        return BYTES.entrySet().stream()
                .filter(unit -> unit.getKey().endsWith("i"))
                .filter(unit -> bytes > 0 && bytes % unit.getValue() == 0)
                .findFirst()
                .map(unit -> bytes / unit.getValue() + unit.getKey())
                .orElseGet(() -> Long.toString(bytes));
    }
}
