package io.knabla.controller.cost.report;

import java.util.Optional;
import java.util.stream.Stream;

/**
 * Names in FOCUS rows that usage does not tell. None is blank.
 *
 * @param billingAccountId unique at the provider
 * @param billingAccountName empty if the account has none
 * @param provider who sells the machines, and sends the invoices: FOCUS has a billed cost of 0 where another one does
 * @param publisher who makes them
 * @param service such as {@code Amazon Elastic Compute Cloud}; always of the category Compute
 */
public record FocusOrigin(
        String billingAccountId,
        Optional<String> billingAccountName,
        String provider,
        String publisher,
        String service) {
    public FocusOrigin {
        Stream.concat(Stream.of(billingAccountId, provider, publisher, service), billingAccountName.stream())
                .filter(String::isBlank)
                .findFirst()
                .ifPresent(blank -> {
                    throw new IllegalArgumentException("names in a FOCUS export must not be blank, but one is:"
                            + " state the billing account, the provider, the publisher and the service");
                });
    }
}
