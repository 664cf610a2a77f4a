package io.knabla.controller.cost.ledger.sql;

import java.util.Set;
import java.util.TreeSet;

/**
 * Functions and operators that a user's query may call. None makes a text or a list that is longer than what goes in:
 * DuckDB's memory limit does not hold for them (1.4.2: {@code repeat('x', 2000000000)} takes 4 GB at a limit of 256
 * MB).
 */
final class SqlFunctions {
    private static final Set<String> ALLOWED = new TreeSet<>(Set.of(
            ("+ - * / // % ~~ !~~ ~~* !~~* abs ceil floor round sqrt ln log10 greatest least coalesce nullif ifnull if"
                            + " sum avg min max count count_star count_if any_value first last arg_min arg_max median"
                            + " quantile_cont quantile_disc stddev stddev_samp variance bool_and bool_or"
                            + " approx_count_distinct approx_quantile"
                            + " row_number rank dense_rank percent_rank ntile lag lead first_value last_value"
                            + " date_trunc date_part date_diff datediff datetrunc datepart epoch epoch_ms time_bucket"
                            + " strftime year quarter month day hour minute second dayofweek week"
                            + " now today current_date current_timestamp get_current_timestamp last_day dayname monthname"
                            // Intervals of a number, whose numbers the parser truncates.
                            + " trunc to_seconds to_minutes to_hours to_days to_weeks to_months to_quarters to_years"
                            + " lower upper length substr substring left right trim contains starts_with"
                            + " regexp_matches")
                    .split(" ")));

    private SqlFunctions() {}

    /** The ones among these names that a query may not call, ordered. */
    static Set<String> notAllowed(Set<String> names) {
        Set<String> other = new TreeSet<>(names);
        other.removeAll(ALLOWED);
        return other;
    }

    static String names() {
        return String.join(" ", ALLOWED);
    }
}
