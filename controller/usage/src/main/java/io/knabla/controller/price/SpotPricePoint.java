package io.knabla.controller.price;

import java.time.Instant;

/**
 * One entry of the answer to EC2's {@code DescribeSpotPriceHistory}, field by field; a field that the answer lacks is
 * null.
 *
 * @param zoneId {@code AvailabilityZoneId}, such as {@code use1-az1}
 * @param zoneName {@code AvailabilityZone}, whose meaning differs between accounts
 * @param productDescription operating system, such as {@code Linux/UNIX}
 * @param spotPrice US dollars per hour, as text
 * @param timestamp when the price changed to this one
 */
public record SpotPricePoint(
        String instanceType,
        String zoneId,
        String zoneName,
        String productDescription,
        String spotPrice,
        Instant timestamp) {}
