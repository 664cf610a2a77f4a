package io.knabla.controller.cost.query;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.knabla.controller.cost.pricelist.PriceRefresher;
import java.time.Instant;
import java.util.List;

/**
 * How complete and how old prices are, as JSON.
 *
 * @param newest when the newest list prices were read
 * @param refreshing whether {@code priceRefresh.every} is set
 * @param lastRefresh null if there was none
 * @param unpriced instance types of the last 24 hours without a price, such as {@code m7i.large on spot}
 * @param damages refreshed prices that could not be read
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record PriceStatus(
        Instant newest,
        boolean refreshing,
        PriceRefresher.Refresh lastRefresh,
        List<String> unpriced,
        List<String> damages) {}
