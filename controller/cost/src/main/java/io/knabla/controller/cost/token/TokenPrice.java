package io.knabla.controller.cost.token;

import io.knabla.controller.billing.Dollars;
import java.math.BigDecimal;

/**
 * The list price of an API that bills tokens, for comparison. Prices are US dollars of a million tokens.
 *
 * @param name as reports show it
 * @param input of a prompt
 * @param cachedInput of a prompt's tokens that the API had computed before
 * @param output of generated ones
 */
public record TokenPrice(String name, BigDecimal input, BigDecimal cachedInput, BigDecimal output) {
    private static final int MILLION_DIGITS = 6;

    /** What the API would bill, if it cached the same tokens. */
    public BigDecimal usd(TokenCounts tokens) {
        BigDecimal millions = times(input, tokens.computed())
                .add(times(cachedInput, tokens.cached()))
                .add(times(output, tokens.generated()));
        return Dollars.rounded(millions.movePointLeft(MILLION_DIGITS));
    }

    private static BigDecimal times(BigDecimal price, long count) {
        return price.multiply(BigDecimal.valueOf(count));
    }
}
