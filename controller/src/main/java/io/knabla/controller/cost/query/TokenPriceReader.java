package io.knabla.controller.cost.query;

import io.knabla.controller.cost.token.TokenPrice;
import io.knabla.functions.Fault;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Reads one entry of the list {@code tokenPrices:} of config.yaml. */
final class TokenPriceReader {
    private static final String NAME = "name";
    private static final String INPUT = "input";
    private static final String CACHED_INPUT = "cachedInput";
    private static final String OUTPUT = "output";
    private static final String CURRENCY = "currency";
    private static final Set<String> KEYS = new TreeSet<>(Set.of(NAME, INPUT, CACHED_INPUT, OUTPUT, CURRENCY));
    private static final BigDecimal LARGEST = BigDecimal.valueOf(1_000_000);
    private static final int MOST_DECIMALS = 12;
    private static final int LONGEST_NAME = 60;

    private final Map<String, String> entry;
    private final String path;
    private final List<Fault> faults;

    private TokenPriceReader(Map<String, String> entry, String path, List<Fault> faults) {
        this.entry = entry;
        this.path = path;
        this.faults = faults;
    }

    /** @param faults takes everything that is wrong; the result is of use only if there is nothing */
    static List<TokenPrice> read(List<Map<String, String>> entries, List<Fault> faults) {
        List<TokenPrice> prices = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (int i = 0; i < entries.size(); i++) {
            var reader = new TokenPriceReader(entries.get(i), "tokenPrices[%d].".formatted(i), faults);
            TokenPrice price = reader.price();
            if (!names.add(price.name())) {
                reader.fault(NAME, "is '%s' again; give each price a name of its own".formatted(price.name()));
            }
            prices.add(price);
        }
        return prices;
    }

    private TokenPrice price() {
        entry.keySet().stream()
                .filter(key -> !KEYS.contains(key))
                .forEach(key -> fault(key, "unknown key; known are " + String.join(", ", KEYS)));
        String currency = entry.getOrDefault(CURRENCY, "USD");
        if (!currency.equals("USD")) {
            fault(CURRENCY, "is %s; allowed is USD: convert the prices".formatted(currency));
        }
        BigDecimal input = number(INPUT);
        return new TokenPrice(
                name(), input, entry.containsKey(CACHED_INPUT) ? number(CACHED_INPUT) : input, number(OUTPUT));
    }

    private String name() {
        String name = entry.getOrDefault(NAME, "").strip();
        if (name.isEmpty() || name.length() > LONGEST_NAME || name.chars().anyMatch(Character::isISOControl)) {
            fault(NAME, "is no name of 1 to %d characters; write that of the API's model".formatted(LONGEST_NAME));
        }
        return name;
    }

    /** Returns zero where it is refused. */
    private BigDecimal number(String key) {
        String text = entry.getOrDefault(key, "");
        try {
            var number = new BigDecimal(text);
            if (number.signum() >= 0 && number.compareTo(LARGEST) <= 0 && Math.abs(number.scale()) <= MOST_DECIMALS) {
                return number;
            }
        } catch (NumberFormatException notOne) {
            // reported below
        }
        fault(
                key,
                "is '%s'; write US dollars of a million tokens, 0 to %s with at most %d decimals"
                        .formatted(text, LARGEST.toPlainString(), MOST_DECIMALS));
        return BigDecimal.ZERO;
    }

    private void fault(String key, String message) {
        faults.add(new Fault(path + key, message));
    }
}
