package io.knabla.controller.spot.policy;

/**
 * Estimates how often one zone takes spot replicas back. Hours of the past count less: half after a day.
 *
 * @param losses times at which the zone took replicas back, discounted
 * @param heldHours hours in which replicas were there, discounted
 * @param sinceLossHours hours for which replicas have been there without a loss; zero if there are none
 * @param averagePrice of spot capacity, of the last day
 * @param blockedHours time for which no launch is tried
 * @param refusals in a row, and losses
 */
public record ZoneRisk(
        double losses,
        double heldHours,
        double sinceLossHours,
        double averagePrice,
        double blockedHours,
        int refusals) {
    private static final double HALF_LIFE_HOURS = 24;

    /** Rate of a zone of which nothing is known, one loss an hour, with the weight of half an hour. */
    private static final double PRIOR_LOSSES = 0.5;

    private static final double PRIOR_HOURS = 0.5;

    /** Of zones that held for so long, this share is lost in the next such time: the tail of a Lomax distribution. */
    private static final double AGE_SHAPE = 0.6;

    private static final double AGE_SCALE_HOURS = 0.1;
    private static final double COOL_DOWN_HOURS = 1.0 / 6;
    private static final int LONGEST_COOL_DOWN = 4;
    private static final double MIDDLE_SCORE = 5.5;

    static final ZoneRisk UNKNOWN = new ZoneRisk(0, 0, 0, 0, 0, 0);

    /** After so many hours, in which replicas were there or not. */
    ZoneRisk after(double hours, boolean held, double price) {
        double kept = Math.pow(0.5, hours / HALF_LIFE_HOURS);
        double average = averagePrice == 0 ? price : averagePrice * kept + price * (1 - kept);
        return new ZoneRisk(
                losses * kept,
                heldHours * kept + (held ? hours : 0),
                held ? sinceLossHours + hours : 0,
                average,
                Math.max(0, blockedHours - hours),
                held ? 0 : refusals);
    }

    /** All replicas of the zone are lost. */
    ZoneRisk lost() {
        return new ZoneRisk(losses + 1, heldHours, 0, averagePrice, COOL_DOWN_HOURS, 1);
    }

    /** The zone took replicas back, but has kept others: it may have room for more. */
    ZoneRisk lostInPart() {
        return new ZoneRisk(losses + 1, heldHours, 0, averagePrice, blockedHours, refusals);
    }

    /** Waits twice as long after each refusal in a row. Replicas that are there do not become younger by it. */
    ZoneRisk refused() {
        int count = Math.min(refusals + 1, LONGEST_COOL_DOWN);
        double wait = COOL_DOWN_HOURS * (1 << (count - 1));
        return isBlocked() ? this : new ZoneRisk(losses, heldHours, sinceLossHours, averagePrice, wait, count);
    }

    /** A refusal ends where the zone is seen to have room; what is known of losses stays. */
    ZoneRisk withRoom() {
        return new ZoneRisk(losses, heldHours, sinceLossHours, averagePrice, 0, 0);
    }

    /** As another process or version learned it, which may have ended before the zone had room again. */
    ZoneRisk recalled() {
        double blocked = Math.min(blockedHours, COOL_DOWN_HOURS);
        return new ZoneRisk(losses, heldHours, sinceLossHours, averagePrice, blocked, Math.min(refusals, 1));
    }

    boolean isBlocked() {
        return blockedHours > 0;
    }

    /**
     * Expected losses an hour: the geometric mean of the zone's own rate, and of the rate at which zones are lost that
     * have held for as long. A price above its average says that capacity is short.
     */
    double lossesPerHour(ZoneOffer offer) {
        double score = offer.placementScore().orElse(0);
        double prior = score == 0 ? PRIOR_LOSSES : PRIOR_LOSSES * MIDDLE_SCORE / score;
        double own = (prior + losses) / (PRIOR_HOURS + heldHours);
        double ofAge = AGE_SHAPE / (AGE_SCALE_HOURS + sinceLossHours);
        double dearer = averagePrice == 0 ? 1 : Math.max(1, offer.spotPrice() / averagePrice);
        return Math.sqrt(own * ofAge) * dearer;
    }
}
