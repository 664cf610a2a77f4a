package io.knabla.controller.billing;

import io.knabla.controller.price.Price;

/**
 * A price that went into a sum.
 *
 * @param subject what it is the price of, such as {@code m7i.large us-east-1 on demand, an hour}
 */
public record UsedPrice(String subject, Price price) {}
