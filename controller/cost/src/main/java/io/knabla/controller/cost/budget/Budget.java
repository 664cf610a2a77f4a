package io.knabla.controller.cost.budget;

import java.math.BigDecimal;
import java.net.URI;
import java.util.List;
import java.util.Optional;

/**
 * A limit on what a function or a namespace may cost in each day, week or month. Nothing is stopped above it.
 *
 * @param function empty for the whole namespace
 * @param amount US dollars, above 0
 * @param alertAt shares of the amount at which people are told, ascending
 * @param webhook where alerts are posted to
 */
public record Budget(
        String namespace,
        Optional<String> function,
        BigDecimal amount,
        BudgetPeriod period,
        List<BigDecimal> alertAt,
        Optional<URI> webhook) {
    public Budget {
        alertAt = alertAt.stream().sorted().toList();
    }

    /** What it is for, such as {@code function shop/resize} or {@code namespace shop}. */
    public String subject() {
        return function.map(name -> "function " + namespace + "/" + name).orElse("namespace " + namespace);
    }
}
