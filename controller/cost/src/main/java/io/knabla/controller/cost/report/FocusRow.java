package io.knabla.controller.cost.report;

import io.knabla.controller.cost.scenario.CostLine;
import io.knabla.controller.cost.token.TokenCounts;
import io.knabla.controller.usage.Interval;
import io.knabla.controller.usage.NodeInterval;
import java.math.BigDecimal;
import java.util.Optional;

/**
 * One cost in one charge period.
 *
 * @param line what it is for; its dollars are those of the whole report's period
 * @param node what is charged
 * @param chargePeriod within one day of UTC
 * @param billed dollars
 * @param listed dollars at list price; equal to those billed if that is unknown
 * @param listPrice of an hour of the node, on demand
 * @param assumed whether a price is that of a reference machine, for one that has none of its own
 * @param hours of the node; times the list price, if it is known, they are the dollars at list price to the last digit
 * @param tokens that the replica counted in this time; empty but in the row of its use, so that sums count them once
 */
public record FocusRow(
        CostLine line,
        NodeInterval node,
        Interval chargePeriod,
        BigDecimal billed,
        BigDecimal listed,
        Optional<BigDecimal> listPrice,
        boolean assumed,
        BigDecimal hours,
        Optional<TokenCounts> tokens) {}
