package io.knabla.controller.cost.token;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.cost.token.TokenCost.Elsewhere;
import io.knabla.functions.unit.usage.Counters;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TokenCostTest {
    private static final TokenPrice PRICE =
            new TokenPrice("other", new BigDecimal("0.25"), new BigDecimal("0.025"), new BigDecimal("2"));

    @Test
    void cachedTokensArePartOfThePrompt() {
        TokenCounts tokens = tokens(
                Map.of("prompt_tokens", 3_000_000L, "cached_tokens", 1_000_000L, "generated_tokens", 1_000_000L));

        TokenCost cost = TokenCost.of(tokens, Optional.of(new BigDecimal("1.2")), List.of(PRICE));

        assertThat(cost.usdPerMillion().orElseThrow()).isEqualByComparingTo("0.3");
        assertThat(cost.others())
                .usingElementComparator(
                        (a, b) -> a.usd().compareTo(b.usd()) + a.usdPerMillion().compareTo(b.usdPerMillion()))
                .containsExactly(new Elsewhere("other", new BigDecimal("2.525"), new BigDecimal("0.63125")));
    }

    @Test
    void anUnknownCostHasNoFigure() {
        TokenCost cost = TokenCost.of(tokens(Map.of("prompt_tokens", 10L)), Optional.empty(), List.of(PRICE));

        assertThat(cost.usdPerMillion()).isEmpty();
        assertThat(cost.others().getFirst().usdPerMillion()).isEqualByComparingTo("0.25");
    }

    /** A request's tokens are counted at its end, so a period may have seen more cached than all of a prompt. */
    @Test
    void moreCachedThanPromptTokensCostNothingLess() {
        TokenCounts tokens = tokens(Map.of("prompt_tokens", 1_000_000L, "cached_tokens", 2_000_000L));

        assertThat(PRICE.usd(tokens)).isEqualByComparingTo("0.05");
    }

    @Test
    void othersCountNoTokens() {
        assertThat(TokenCounts.of(new Counters(Map.of("steps", 3L)))).isEmpty();
        assertThat(TokenCounts.of(Counters.NONE)).isEmpty();
    }

    private static TokenCounts tokens(Map<String, Long> counts) {
        return TokenCounts.of(new Counters(counts)).orElseThrow();
    }
}
