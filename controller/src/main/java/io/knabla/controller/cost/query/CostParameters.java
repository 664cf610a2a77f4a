package io.knabla.controller.cost.query;

import io.knabla.controller.billing.Period;
import io.knabla.controller.cost.report.Dimension;
import io.knabla.controller.cost.scenario.Scenario;
import io.knabla.functions.Fault;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Parses the parameters of a cost query: from and to, or period; tz, by, scenario and format. */
public final class CostParameters {
    private static final Set<String> KNOWN =
            new TreeSet<>(Set.of("from", "to", "period", "tz", "by", "scenario", "format"));
    private static final Duration LONGEST = Duration.ofDays(3653);

    private final Map<String, String> values;
    private final Instant now;
    private final List<Fault> faults = new ArrayList<>();

    private CostParameters(Map<String, String> values, Instant now) {
        this.values = values;
        this.now = now;
    }

    /**
     * @param scenario content of a scenario file, see {@link ScenarioFile}; empty for none
     * @param here zone of a query that names none
     */
    public static ParsedQuery parse(Map<String, String> values, String scenario, Instant now, ZoneId here) {
        CostParameters parameters = new CostParameters(values, now);
        CostFormat format = parameters.constant("format", CostFormat.values(), CostFormat.JSON);
        Optional<CostQuery> query = parameters.query(scenario, here);
        return query.<ParsedQuery>map(valid -> new ParsedQuery.Valid(valid, format))
                .orElseGet(() -> new ParsedQuery.Refused(List.copyOf(parameters.faults)));
    }

    private Optional<CostQuery> query(String scenario, ZoneId here) {
        values.keySet().stream()
                .filter(key -> !KNOWN.contains(key))
                .forEach(key -> fault(key, "unknown parameter; known are " + String.join(", ", KNOWN)));
        ZoneId zone = zone(here);
        Optional<Period> period = period(zone);
        Dimension by = constant("by", Dimension.values(), Dimension.FUNCTION);
        Scenario main = constant("scenario", Scenario.values(), Scenario.AS_IT_RAN);
        ScenarioFile file = ScenarioFile.read(scenario, faults);
        return faults.isEmpty()
                ? period.map(time -> new CostQuery(time, by, zone, main, file.options(), file.prices()))
                : Optional.empty();
    }

    /** @param here zone of a query that names none */
    private ZoneId zone(ZoneId here) {
        String text = values.get("tz");
        try {
            return text == null ? here : ZoneId.of(text);
        } catch (DateTimeException unknown) {
            fault("tz", "'%s' is no time zone; write one such as Europe/Berlin or UTC".formatted(text));
            return here;
        }
    }

    private Optional<Period> period(ZoneId zone) {
        return values.containsKey("period") ? named(values.get("period"), zone) : between(zone);
    }

    /** The named day or month, as far as it is over. */
    private Optional<Period> named(String text, ZoneId zone) {
        if (values.containsKey("from") || values.containsKey("to")) {
            fault("period", "stands for from and to; leave out either it or them");
            return Optional.empty();
        }
        Optional<NamedPeriod> found = NamedPeriod.find(text);
        if (found.isEmpty()) {
            fault("period", "is '%s'; allowed are %s".formatted(text, ConstantNames.all(NamedPeriod.values())));
        }
        return found.map(name -> name.at(now, zone)).flatMap(time -> {
            Instant end = time.end().orElseThrow();
            return checked(time.start(), end.isAfter(now) ? now : end);
        });
    }

    private Optional<Period> between(ZoneId zone) {
        TimeExpression times = new TimeExpression(now, zone);
        int before = faults.size();
        Instant from = time(times, "from", "-24h");
        Instant until = time(times, "to", "now");
        if (faults.size() > before) {
            return Optional.empty();
        }
        return checked(from, until);
    }

    private Optional<Period> checked(Instant from, Instant until) {
        if (!from.isBefore(until)) {
            fault("to", "is %s, but must be after from, which is %s".formatted(until, from));
        } else if (!from.isBefore(now)) {
            fault("from", "is %s, which lies in the future; there is no usage yet".formatted(from));
        } else if (Duration.between(from, until).compareTo(LONGEST) > 0) {
            fault("from", "is more than ten years before %s; choose a shorter period".formatted(until));
        } else {
            return Optional.of(new Period(from, until, now));
        }
        return Optional.empty();
    }

    private Instant time(TimeExpression times, String key, String otherwise) {
        try {
            return times.parse(values.getOrDefault(key, otherwise));
        } catch (IllegalArgumentException malformed) {
            fault(key, malformed.getMessage());
            return now;
        }
    }

    private <E extends Enum<E>> E constant(String key, E[] constants, E otherwise) {
        String text = values.get(key);
        if (text == null) {
            return otherwise;
        }
        return ConstantNames.find(constants, text).orElseGet(() -> {
            fault(key, "is '%s'; allowed are %s".formatted(text, ConstantNames.all(constants)));
            return otherwise;
        });
    }

    private void fault(String key, String message) {
        faults.add(new Fault(key, message));
    }
}
