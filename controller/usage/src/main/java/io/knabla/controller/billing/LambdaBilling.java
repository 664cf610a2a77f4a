package io.knabla.controller.billing;

import io.knabla.controller.price.LambdaRates;
import io.knabla.controller.usage.Resources;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.OptionalInt;

/**
 * Billing rules of Lambda functions; see <a href="https://aws.amazon.com/lambda/pricing/">AWS Lambda Pricing</a>.
 * Durations are rounded up to 1 ms. A calendar month (UTC) of an account has free requests and GB-seconds; the
 * GB-seconds beyond them are priced by tiers of the month's sum, in which the free ones count.
 *
 * <p>A period's bill depends on what its month had before, so bills of parts of a month sum to the month's only if each
 * is given what came before it.
 */
public final class LambdaBilling {
    /**
     * Memory at which a function has one vCPU, of which it has more in proportion; this and the bounds: <a
     * href="https://docs.aws.amazon.com/lambda/latest/dg/configuration-memory.html">Configure Lambda function
     * memory</a>.
     */
    static final BigDecimal MB_PER_VCPU = BigDecimal.valueOf(1769);

    static final int MIN_MB = 128;
    static final int MAX_MB = 10_240;

    private static final BigDecimal BYTES_PER_MB = BigDecimal.valueOf(1024 * 1024);
    private static final BigDecimal MB_MILLIS_PER_GB_SECOND = BigDecimal.valueOf(1024 * 1000);

    private LambdaBilling() {}

    /** Dollars of a use, requests and time apart. */
    public record Bill(BigDecimal requests, BigDecimal duration) {
        public BigDecimal total() {
            return requests.add(duration);
        }
    }

    /** Memory in MB of a function that needs these CPUs and this memory; empty if it is too large for Lambda. */
    public static OptionalInt memoryMb(Resources needed) {
        BigDecimal forCpu = needed.vcpus().multiply(MB_PER_VCPU);
        BigDecimal forMemory =
                BigDecimal.valueOf(needed.memoryBytes()).divide(BYTES_PER_MB, Dollars.SCALE, RoundingMode.CEILING);
        BigDecimal mb = forCpu.max(forMemory).setScale(0, RoundingMode.CEILING);
        if (mb.compareTo(BigDecimal.valueOf(MAX_MB)) > 0) {
            return OptionalInt.empty();
        }
        return OptionalInt.of(Math.max(MIN_MB, mb.intValueExact()));
    }

    /** Milliseconds that are paid for one request, or for one INIT. */
    public static long paidMillis(Duration duration) {
        return Dollars.seconds(duration)
                .movePointRight(3)
                .setScale(0, RoundingMode.CEILING)
                .longValueExact();
    }

    /** Milliseconds that are paid for requests of which only the sum of the durations is known: equally long ones. */
    public static long paidMillis(long requests, long sumMillis) {
        return requests == 0 ? sumMillis : Math.multiplyExact(requests, Math.ceilDiv(sumMillis, requests));
    }

    public static BigDecimal gbSeconds(int memoryMb, long paidMillis) {
        return BigDecimal.valueOf(memoryMb)
                .multiply(BigDecimal.valueOf(paidMillis))
                .divide(MB_MILLIS_PER_GB_SECOND);
    }

    /**
     * Dollars of a use within one month.
     *
     * @param before what the account used in this month before
     */
    public static Bill bill(LambdaUse use, LambdaUse before, LambdaRates rates) {
        long paid = paidRequests(before.plus(use), rates) - paidRequests(before, rates);
        BigDecimal requests =
                BigDecimal.valueOf(paid).multiply(rates.perRequest().usd());
        BigDecimal duration =
                durationUntil(before.plus(use).gbSeconds(), rates).subtract(durationUntil(before.gbSeconds(), rates));
        return new Bill(Dollars.rounded(requests), Dollars.rounded(duration));
    }

    private static long paidRequests(LambdaUse use, LambdaRates rates) {
        return Math.max(0, use.requests() - rates.freeRequests());
    }

    private static BigDecimal durationUntil(BigDecimal gbSeconds, LambdaRates rates) {
        BigDecimal sum = BigDecimal.ZERO;
        BigDecimal from = rates.freeGbSeconds();
        for (LambdaRates.Tier tier : rates.tiers()) {
            BigDecimal to = tier.upToGbSeconds() == null ? gbSeconds : gbSeconds.min(tier.upToGbSeconds());
            if (to.compareTo(from) > 0) {
                sum = sum.add(to.subtract(from).multiply(tier.perGbSecond().usd()));
                from = to;
            }
        }
        return sum;
    }
}
