package io.knabla.controller.cost.query;

import io.knabla.controller.cost.budget.Budget;
import io.knabla.controller.cost.budget.BudgetPeriod;
import io.knabla.functions.Fault;
import java.math.BigDecimal;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Reads one entry of the list {@code budgets:} of config.yaml. */
final class BudgetReader {
    private static final Set<String> KEYS =
            new TreeSet<>(Set.of("function", "namespace", "amount", "currency", "period", "alertAt", "webhook"));
    private static final Pattern LABEL = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");
    private static final BigDecimal LARGEST = BigDecimal.valueOf(1_000_000_000);
    private static final BigDecimal LARGEST_SHARE = BigDecimal.TEN;
    private static final int MOST_DECIMALS = 6;
    private static final List<BigDecimal> ALERTS = List.of(new BigDecimal("0.8"), BigDecimal.ONE);

    private final Map<String, String> entry;
    private final String path;
    private final List<Fault> faults;

    private BudgetReader(Map<String, String> entry, String path, List<Fault> faults) {
        this.entry = entry;
        this.path = path;
        this.faults = faults;
    }

    /** @param faults takes everything that is wrong; the result is of use only if there is nothing */
    static List<Budget> read(List<Map<String, String>> entries, List<Fault> faults) {
        List<Budget> budgets = new ArrayList<>();
        for (int i = 0; i < entries.size(); i++) {
            budgets.add(new BudgetReader(entries.get(i), "budgets[%d].".formatted(i), faults).budget());
        }
        return budgets;
    }

    private Budget budget() {
        entry.keySet().stream()
                .map(key -> key.replaceFirst("\\[\\d+]$", ""))
                .filter(key -> !KEYS.contains(key))
                .distinct()
                .forEach(key -> fault(key, "unknown key; known are " + String.join(", ", KEYS)));
        if (!entry.containsKey("function") && !entry.containsKey("namespace")) {
            fault("function", "is missing; name a function, a namespace, or both");
        }
        String currency = entry.getOrDefault("currency", "USD");
        if (!currency.equals("USD")) {
            fault("currency", "is %s; allowed is USD: convert the amount".formatted(currency));
        }
        return new Budget(
                label("namespace").orElse("default"), label("function"), amount(), period(), alerts(), webhook());
    }

    private Optional<String> label(String key) {
        Optional<String> name = Optional.ofNullable(entry.get(key));
        name.filter(text -> !LABEL.matcher(text).matches())
                .ifPresent(text -> fault(key, "is '%s'; allowed are 1 to 63 of a-z, 0-9 and -".formatted(text)));
        return name;
    }

    private BigDecimal amount() {
        return number("amount", entry.getOrDefault("amount", ""), LARGEST);
    }

    private List<BigDecimal> alerts() {
        List<String> texts = Stream.iterate(0, i -> i + 1)
                .map(i -> entry.get("alertAt[%d]".formatted(i)))
                .takeWhile(text -> text != null)
                .toList();
        if (entry.containsKey("alertAt")) {
            fault("alertAt", "must be a list of shares such as [0.8, 1.0]");
        }
        return texts.isEmpty()
                ? ALERTS
                : texts.stream()
                        .map(text -> number("alertAt", text, LARGEST_SHARE))
                        .distinct()
                        .toList();
    }

    /** Returns one where it is refused. */
    private BigDecimal number(String key, String text, BigDecimal largest) {
        try {
            BigDecimal number = new BigDecimal(text).stripTrailingZeros();
            if (number.signum() > 0 && number.compareTo(largest) <= 0 && number.scale() <= MOST_DECIMALS) {
                return number;
            }
        } catch (NumberFormatException notOne) {
            // reported below
        }
        fault(
                key,
                "is '%s'; write a number above 0, at most %s, with at most %d decimals"
                        .formatted(text, largest.toPlainString(), MOST_DECIMALS));
        return BigDecimal.ONE;
    }

    private BudgetPeriod period() {
        String text = entry.getOrDefault("period", "month");
        return ConstantNames.find(BudgetPeriod.values(), text).orElseGet(() -> {
            fault("period", "is '%s'; allowed are %s".formatted(text, ConstantNames.all(BudgetPeriod.values())));
            return BudgetPeriod.MONTH;
        });
    }

    private Optional<URI> webhook() {
        return Optional.ofNullable(entry.get("webhook")).flatMap(text -> {
            try {
                URI uri = URI.create(text);
                if (uri.getHost() != null && Set.of("http", "https").contains(uri.getScheme())) {
                    return Optional.of(uri);
                }
            } catch (IllegalArgumentException malformed) {
                // reported below
            }
            fault("webhook", "is no address; write one such as https://example.org/alerts");
            return Optional.empty();
        });
    }

    private void fault(String key, String message) {
        faults.add(new Fault(path + key, message));
    }
}
