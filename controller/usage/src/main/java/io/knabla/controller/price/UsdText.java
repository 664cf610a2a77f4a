package io.knabla.controller.price;

import java.math.BigDecimal;
import java.util.Optional;
import java.util.regex.Pattern;

/** Checks prices that AWS writes as text, such as {@code 0.0960000000}. */
public final class UsdText {
    private static final Pattern DECIMAL = Pattern.compile("\\d{1,12}(\\.\\d{1,18})?");

    private UsdText() {}

    /** What keeps it from being a price above 0; no offer of AWS is free, a 0 stands for one that is not sold. */
    public static Optional<String> faultOf(String text) {
        if (text == null || !DECIMAL.matcher(text).matches()) {
            return Optional.of("price is '%s', but must be decimal digits".formatted(text));
        }
        return new BigDecimal(text).signum() == 0 ? Optional.of("price is 0, which no offer is") : Optional.empty();
    }

    /** The amount of a part of a price, which may be 0. */
    static Optional<BigDecimal> amount(String text) {
        return Optional.ofNullable(text)
                .filter(digits -> DECIMAL.matcher(digits).matches())
                .map(BigDecimal::new);
    }
}
