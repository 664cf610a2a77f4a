package io.knabla.runtime.openai;

import io.knabla.runtime.generation.grammar.automaton.TooLargeException;
import io.knabla.runtime.generation.grammar.schema.JsonValue;
import io.knabla.runtime.generation.grammar.schema.JsonValueReader;
import io.knabla.runtime.json.Json;
import io.knabla.runtime.json.JsonException;
import io.knabla.runtime.json.JsonTree;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** The fields of a request. Null counts as absent. Faults are collected, so that one answer tells all of them. */
public final class RequestFields {
    private static final int MOST_FAULTS = 10;
    private static final int LONGEST_QUOTE = 80;

    private final byte[] body;
    private final int length;
    private final Map<String, Json> byName;
    private final List<String> faults = new ArrayList<>();
    private String firstParam;

    private RequestFields(byte[] body, int length, Map<String, Json> byName) {
        this.body = body;
        this.length = length;
        this.byName = byName;
    }

    /** @throws OpenAiException if the body is no JSON object */
    public static RequestFields read(byte[] body, int length) {
        try {
            if (JsonTree.read(body, length, false) instanceof Json.Fields(var byName)) {
                return new RequestFields(body, length, byName);
            }
            throw OpenAiException.bad("the body must be a JSON object");
        } catch (JsonException bad) {
            throw OpenAiException.bad("the body is not JSON: " + bad.getMessage());
        }
    }

    /** Names of the fields, in the order of the body. */
    public Iterable<String> names() {
        return byName.keySet();
    }

    /** Value of a field; empty if it is absent or null. */
    public Optional<Json> value(String name) {
        Json value = byName.get(name);
        return value == null || value instanceof Json.Null ? Optional.empty() : Optional.of(value);
    }

    /** A field as it was written; empty if it is absent, or has a fault. */
    Optional<JsonValue> exact(String name) {
        if (value(name).isEmpty()) {
            return Optional.empty();
        }
        try {
            return JsonValueReader.field(body, length, name);
        } catch (TooLargeException large) {
            fault(name, "'%s': %s; make it smaller", name, large.getMessage());
        } catch (IOException unreadable) {
            fault(name, "'%s' cannot be read: the body has a number that is not JSON", name);
        }
        return Optional.empty();
    }

    /** Tells that a field is wrong. */
    public void fault(String param, String message, Object... arguments) {
        if (faults.isEmpty()) {
            firstParam = param;
        }
        if (faults.size() < MOST_FAULTS) {
            faults.add(message.formatted(arguments));
        }
    }

    /** @throws OpenAiException 400 with all faults; its param is the field of the first */
    public void throwFaults() {
        if (!faults.isEmpty()) {
            throw OpenAiException.bad(firstParam, String.join("; ", faults));
        }
    }

    /** A string; empty if it is absent. */
    public Optional<String> text(String name) {
        Optional<Json> value = value(name);
        if (value.isPresent() && !(value.get() instanceof Json.Text)) {
            fault(name, "'%s' must be a string", name);
            return Optional.empty();
        }
        return value.map(text -> ((Json.Text) text).text());
    }

    /** True or false; false if it is absent. */
    public boolean flag(String name) {
        OptionalDouble value = number(name, "true or false");
        if (value.isPresent() && value.getAsDouble() != 0 && value.getAsDouble() != 1) {
            fault(name, "'%s' must be true or false", name);
        }
        return value.orElse(0) == 1;
    }

    /** A whole number from {@code least} to {@code most}. */
    public OptionalLong whole(String name, long least, long most) {
        OptionalDouble value = number(name, "a whole number");
        if (value.isEmpty()) {
            return OptionalLong.empty();
        }
        double number = value.getAsDouble();
        if (number != Math.rint(number) || number < least || number > most) {
            fault(name, "'%s' is %s; it must be a whole number from %d to %d", name, plain(number), least, most);
            return OptionalLong.empty();
        }
        return OptionalLong.of(exact(byName.get(name)));
    }

    private static long exact(Json value) {
        return value instanceof Json.Numbers numbers ? numbers.all().integer(numbers.from()) : 0;
    }

    /** A number from {@code least} to {@code most}. */
    OptionalDouble real(String name, double least, double most) {
        OptionalDouble value = number(name, "a number");
        if (value.isPresent() && !(value.getAsDouble() >= least && value.getAsDouble() <= most)) {
            fault(
                    name,
                    "'%s' is %s; it must be from %s to %s",
                    name,
                    plain(value.getAsDouble()),
                    plain(least),
                    plain(most));
            return OptionalDouble.empty();
        }
        return value;
    }

    private OptionalDouble number(String name, String what) {
        Optional<Json> value = value(name);
        if (value.isEmpty()) {
            return OptionalDouble.empty();
        }
        if (value.get() instanceof Json.Numbers numbers && numbers.shape().isEmpty()) {
            return OptionalDouble.of(numbers.all().real(numbers.from()));
        }
        fault(name, "'%s' must be %s", name, what);
        return OptionalDouble.empty();
    }

    /** The fields of an object; empty if it is absent. */
    Map<String, Json> object(String name) {
        Optional<Json> value = value(name);
        if (value.isEmpty()) {
            return Map.of();
        }
        if (value.get() instanceof Json.Fields(var fields)) {
            return fields;
        }
        fault(name, "'%s' must be an object", name);
        return Map.of();
    }

    /** A number as people write it. */
    public static String plain(double number) {
        return number == Math.rint(number) && Math.abs(number) < 1e15
                ? Long.toString((long) number)
                : Double.toString(number);
    }

    /** Text of a request for a message. */
    public static String quote(String text) {
        return "'" + (text.length() > LONGEST_QUOTE ? text.substring(0, LONGEST_QUOTE) + "…" : text) + "'";
    }
}
