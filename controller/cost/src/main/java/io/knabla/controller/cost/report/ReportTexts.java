package io.knabla.controller.cost.report;

import io.knabla.controller.billing.Dollars;
import io.knabla.controller.billing.Unpriced;
import io.knabla.controller.cost.scenario.Assumption;
import io.knabla.controller.cost.scenario.Fault;
import io.knabla.controller.cost.scenario.Scenario;
import io.knabla.controller.cost.scenario.ScenarioResult;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.Locale;

/** English texts for constants that people read in a report. */
public final class ReportTexts {
    private static final DecimalFormatSymbols ENGLISH = DecimalFormatSymbols.getInstance(Locale.ENGLISH);

    private ReportTexts() {}

    /** As in {@code All on demand}. */
    public static String of(Scenario scenario) {
        return switch (scenario) {
            case AS_IT_RAN -> "As it ran";
            case ALL_ON_DEMAND -> "All on demand";
            case ALL_SPOT -> "All spot";
            case PER_USE -> "Per use (Lambda)";
            case FARGATE -> "Fargate";
            case FARGATE_SPOT -> "Fargate Spot";
            case COMMITTED_1Y -> "1-year commitment";
            case COMMITTED_3Y -> "3-year commitment";
            case ALWAYS_WARM -> "Always warm";
        };
    }

    /** What was taken for granted, with its numbers; its subject is not named. */
    public static String of(Assumption assumption) {
        String value = new DecimalFormat("#,##0.###", ENGLISH).format(assumption.value());
        return switch (assumption.kind()) {
            case SAME_TIME_UNDER_OTHER_OFFER ->
                counted(value, "node") + " with another offer would have run for the same time";
            case INTERRUPTION_SHARE_STATED -> "Interruptions add %s, as stated".formatted(percent(assumption.value()));
            case INTERRUPTION_SHARE_MEASURED ->
                "Interruptions add %s, as measured on the spot nodes of this report"
                        .formatted(percent(assumption.value()));
            case INTERRUPTION_SHARE_UNKNOWN -> "What interruptions add is unknown: nothing is added";
            case USE_NOT_MEASURED ->
                "The use of %s was not measured: all that was reserved counts as used"
                        .formatted(counted(value, "replica"));
            case WORK_SPREAD_EVENLY ->
                "The work of %s that ran beyond the period is spread evenly over their time"
                        .formatted(counted(value, "replica"));
            case REQUESTS_EQUALLY_LONG -> "Requests of one replica took equally long (%s requests)".formatted(value);
            case LAMBDA_MEMORY -> "%s MB of memory on Lambda".formatted(value);
            case LAMBDA_ONE_INIT_PER_REPLICA ->
                "Each start of %s is one INIT on Lambda, which would have more".formatted(counted(value, "replica"));
            case SERVERLESS_GPU_CHEAPEST -> "The cheapest of %s declared serverless GPUs is taken".formatted(value);
            case LAMBDA_USED_BEFORE -> "The account had used %s GB-seconds of Lambda before".formatted(value);
            case FARGATE_VCPUS -> "%s vCPUs on Fargate".formatted(value);
            case FARGATE_MEMORY -> "%s MiB of memory on Fargate".formatted(value);
            case COMMITTED_STATED -> "%s committed, as stated".formatted(counted(value, "instance"));
            case COMMITTED_PEAK ->
                "%s committed, as many as ran at once at the peak".formatted(counted(value, "instance"));
            case KEPT_WARM_ON_SAME_NODE -> "Without replicas, one is kept on a share of the node that the last one had";
        };
    }

    /** What it would cost without the free tier of the account; for a result that has one. */
    public static String withoutFreeTier(ScenarioResult result) {
        return "the free tier of the account is used; without it: %s USD"
                .formatted(Dollars.text(result.total().add(result.freeTier())));
    }

    /** When a commitment pays. */
    public static String of(ScenarioResult.BreakEven breakEven) {
        return "%s %s: pays above %s utilisation; it was %s"
                .formatted(
                        counted(Integer.toString(breakEven.instances()), "instance"),
                        breakEven.kind(),
                        percent(breakEven.breakEven()),
                        percent(breakEven.utilisation()));
    }

    /** Why there is no price. */
    public static String of(Unpriced.Reason reason) {
        return switch (reason) {
            case NO_ON_DEMAND_PRICE -> "No on-demand price";
            case NO_SPOT_PRICE -> "No spot price";
            case NO_COMMITTED_PRICE -> "No price of a commitment";
            case NO_LAMBDA_RATES -> "No Lambda rates";
            case NO_FARGATE_RATES -> "No Fargate rates";
            case NO_FARGATE_SPOT_RATES -> "No Fargate Spot rates";
            case NO_SERVERLESS_GPU_RATE -> "No rate of a serverless GPU is declared";
            case GPU_NOT_OFFERED -> "The offer has no GPUs";
            case TOO_LARGE -> "Larger than the offer's largest size";
            case UNKNOWN_REGION -> "The node, and so its region, is unknown";
        };
    }

    /** What is wrong with a row, and what the sums contain. */
    public static String of(Fault.Kind kind) {
        return switch (kind) {
            case DUPLICATE_ROW -> "Two rows have one id: the first is counted";
            case UNKNOWN_NODE -> "The replica's node is unknown: it has no part in a node's bill";
            case OUTSIDE_OF_NODE -> "The replica ran before or after its node: it is cut to the node's time";
            case BEYOND_NODE_SIZE -> "Replicas held more than their node has: their shares are scaled down";
            case NODE_WITHOUT_SIZE -> "The node has no resources: all of its cost is idle";
            case NEGATIVE_DURATION -> "A start phase has a negative duration: it counts as zero";
            case NEGATIVE_WORK -> "A counter is negative: the replica's work is left out";
        };
    }

    private static String counted(String count, String noun) {
        return "%s %s%s".formatted(count, noun, count.equals("1") ? "" : "s");
    }

    private static String percent(BigDecimal share) {
        return Decimals.plain(share.movePointRight(2).setScale(1, RoundingMode.HALF_EVEN)) + " %";
    }
}
