package io.knabla.controller.cost.token;

import io.knabla.controller.billing.Dollars;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Optional;

/**
 * What a function's tokens cost.
 *
 * @param usdPerMillion the function's whole cost, its waiting included, by a million prompt and generated tokens; empty
 *     unless the cost is known in full
 * @param others what the same tokens cost elsewhere, in the order in which the user named the prices
 */
public record TokenCost(TokenCounts tokens, Optional<BigDecimal> usdPerMillion, List<Elsewhere> others) {
    private static final BigDecimal MILLION = BigDecimal.valueOf(1_000_000);

    public TokenCost {
        others = List.copyOf(others);
    }

    /** @param name of the list price */
    public record Elsewhere(String name, BigDecimal usd, BigDecimal usdPerMillion) {}

    /** @param usd of the function, if known in full */
    public static TokenCost of(TokenCounts tokens, Optional<BigDecimal> usd, List<TokenPrice> prices) {
        List<Elsewhere> others = prices.stream()
                .map(price -> new Elsewhere(price.name(), price.usd(tokens), perMillion(price.usd(tokens), tokens)))
                .toList();
        return new TokenCost(tokens, usd.map(known -> perMillion(known, tokens)), others);
    }

    private static BigDecimal perMillion(BigDecimal usd, TokenCounts tokens) {
        return usd.multiply(MILLION).divide(BigDecimal.valueOf(tokens.total()), Dollars.SCALE, RoundingMode.HALF_EVEN);
    }
}
