package io.knabla.runtime.openai;

import io.knabla.runtime.json.Json;
import io.knabla.runtime.json.JsonException;
import io.knabla.runtime.json.JsonTree;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** Reads the fields of a request, and collects what is wrong with all of them. A field that is null is not there. */
final class RequestFields {
    /** Longest text of a request that an error repeats. */
    private static final int SHOWN = 60;

    /** What is wrong, by field, in the order of reading. */
    private final Map<String, String> faults = new LinkedHashMap<>();

    private final Map<String, Json> left;
    private final List<String> known = new ArrayList<>();

    private RequestFields(Map<String, Json> fields) {
        left = new LinkedHashMap<>(fields);
        left.values().removeIf(Json.Null.class::isInstance);
    }

    /** @throws RefusedException if the body is no JSON object */
    static RequestFields of(byte[] body, int length) {
        try {
            if (JsonTree.read(body, length, false) instanceof Json.Fields(var fields)) {
                return new RequestFields(fields);
            }
        } catch (JsonException malformed) {
            throw new RefusedException(ApiError.invalid(null, "the body is not JSON: " + malformed.getMessage()));
        }
        throw new RefusedException(ApiError.invalid(null, "the body is no JSON object; send {\"messages\": …}"));
    }

    Optional<Json> find(String name) {
        known.add(name);
        return Optional.ofNullable(left.remove(name));
    }

    void fault(String field, String sentence) {
        faults.putIfAbsent(field, sentence);
    }

    Optional<String> text(String name) {
        return find(name).flatMap(value -> {
            if (value instanceof Json.Text(var text)) {
                return Optional.of(text);
            }
            fault(name, "must be a text");
            return Optional.empty();
        });
    }

    boolean flag(String name) {
        return real(name, 0, 0, 1) == 1;
    }

    OptionalInt whole(String name, int least, int most) {
        Optional<Double> number = find(name).flatMap(value -> number(name, value, least, most));
        if (number.isPresent() && number.get() != Math.rint(number.get())) {
            fault(name, "is %s, must be a whole number".formatted(number.get()));
        }
        return number.isPresent() ? OptionalInt.of(number.get().intValue()) : OptionalInt.empty();
    }

    double real(String name, double otherwise, double least, double most) {
        return find(name).flatMap(value -> number(name, value, least, most)).orElse(otherwise);
    }

    private Optional<Double> number(String name, Json value, double least, double most) {
        if (value instanceof Json.Numbers one && one.shape().isEmpty()) {
            double number = one.all().real(one.from());
            if (number >= least && number <= most) {
                return Optional.of(number);
            }
            fault(name, "is %s, must be from %s to %s".formatted(plain(number), plain(least), plain(most)));
        } else {
            fault(name, "must be a number");
        }
        return Optional.empty();
    }

    private static String plain(double number) {
        return number == Math.rint(number) && Math.abs(number) < 1e15
                ? Long.toString((long) number)
                : Double.toString(number);
    }

    /** Reads fields that change nothing here. */
    void ignore(String... names) {
        for (String name : names) {
            find(name);
        }
    }

    /** Refuses fields whose meaning this does not have. */
    void unsupported(String why, String... names) {
        for (String name : names) {
            find(name).filter(value -> !isFalse(value)).ifPresent(_ -> fault(name, why));
        }
    }

    private static boolean isFalse(Json value) {
        return value instanceof Json.Numbers one
                && one.shape().isEmpty()
                && one.all().real(one.from()) == 0;
    }

    /** @throws RefusedException if a field is wrong or unknown */
    void end() {
        left.keySet().forEach(name -> fault(name, "is unknown; there are " + String.join(", ", known)));
        if (!faults.isEmpty()) {
            var all = new ArrayList<String>();
            faults.forEach((field, sentence) -> all.add("%s %s".formatted(shown(field), sentence)));
            throw new RefusedException(
                    ApiError.invalid(faults.keySet().iterator().next(), String.join("; ", all)));
        }
    }

    private static String shown(String field) {
        return field.length() <= SHOWN ? field : field.substring(0, SHOWN) + "…";
    }
}
