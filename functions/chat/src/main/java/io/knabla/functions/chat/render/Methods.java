package io.knabla.functions.chat.render;

import io.knabla.functions.chat.syntax.Method;
import io.knabla.functions.chat.value.Value;
import io.knabla.functions.chat.value.Whitespace;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** Computes the methods of strings and mappings that templates call, such as {@code strip} and {@code items}. */
final class Methods {
    private final Budget budget;
    private final Sequences sequences;
    private final Comparisons comparisons;

    Methods(Budget budget, Sequences sequences, Comparisons comparisons) {
        this.budget = budget;
        this.comparisons = comparisons;
        this.sequences = sequences;
    }

    Value call(Value target, Method method, CallArguments given) {
        return switch (target) {
            case Value.Text(String text) -> ofText(text, method, given);
            case Value.Dict(Map<Value, Value> entries) -> ofDict(entries, method, given);
            case Value.Items(List<Value> items, var _)
            when method == Method.COUNT ->
                new Value.Int(items.stream()
                        .filter(item -> comparisons.equal(item, given.get(0)))
                        .count());
            case Value.Undefined(String name) ->
                throw RefusedException.of("'%s' is undefined, so it has no method %s", name, method.written());
            default -> throw RefusedException.of("%s has no method %s", target.type(), method.written());
        };
    }

    private Value ofDict(Map<Value, Value> entries, Method method, CallArguments given) {
        budget.chargeValues(method == Method.GET ? 0 : entries.size());
        return switch (method) {
            case GET -> entries.getOrDefault(Comparisons.key(given.get(0)), given.get(1, Value.NONE));
            case ITEMS -> items(entries);
            case KEYS -> new Value.Items(List.copyOf(entries.keySet()));
            case VALUES -> new Value.Items(List.copyOf(entries.values()));
            default -> throw RefusedException.of("a mapping has no method %s", method.written());
        };
    }

    static Value items(Map<Value, Value> entries) {
        List<Value> pairs = new ArrayList<>();
        entries.forEach((key, value) -> pairs.add(new Value.Items(List.of(key, value), true)));
        return new Value.Items(pairs);
    }

    private Value ofText(String text, Method method, CallArguments given) {
        budget.charge(text.length());
        return switch (method) {
            case CAPITALIZE -> new Value.Text(PythonStrings.capitalize(text));
            case COUNT -> new Value.Int(PythonStrings.count(text, given.text(0)));
            case ENDSWITH -> Value.of(any(given.get(0), text::endsWith));
            case FIND -> index(text, text.indexOf(given.text(0)));
            case ISDIGIT -> Value.of(PythonStrings.isDigits(text));
            case JOIN -> join(text, given.get(0));
            case LOWER -> new Value.Text(PythonStrings.lower(text));
            case LSTRIP -> strip(text, given, true, false);
            case REMOVEPREFIX -> new Value.Text(without(text, given.text(0), true));
            case REMOVESUFFIX -> new Value.Text(without(text, given.text(0), false));
            case REPLACE -> replace(text, given.text(0), given.text(1), given.whole(2, -1));
            case RFIND -> index(text, text.lastIndexOf(given.text(0)));
            case RSPLIT -> split(text, given, true);
            case RSTRIP -> strip(text, given, false, true);
            case SPLIT -> split(text, given, false);
            case SPLITLINES -> lines(text);
            case STARTSWITH -> Value.of(any(given.get(0), text::startsWith));
            case STRIP -> strip(text, given, true, true);
            case TITLE -> new Value.Text(PythonStrings.title(text));
            case UPPER -> new Value.Text(PythonStrings.upper(text));
            case GET, ITEMS, KEYS, VALUES -> throw RefusedException.of("a string has no method %s", method.written());
        };
    }

    private static Value strip(String text, CallArguments given, boolean start, boolean end) {
        return new Value.Text(PythonStrings.strip(text, given.textOrNone(0), start, end));
    }

    private static Value index(String text, int at) {
        return new Value.Int(at < 0 ? -1 : text.codePointCount(0, at));
    }

    private static boolean any(Value texts, Predicate<String> holds) {
        return switch (texts) {
            case Value.Text(String text) -> holds.test(text);
            case Value.Items(List<Value> items, boolean tuple)
            when tuple -> items.stream().anyMatch(item -> any(item, holds));
            default -> throw RefusedException.of("an argument is %s; it must be a string", texts.type());
        };
    }

    private static String without(String text, String part, boolean start) {
        boolean has = start ? text.startsWith(part) : text.endsWith(part);
        if (!has) {
            return text;
        }
        return start ? text.substring(part.length()) : text.substring(0, text.length() - part.length());
    }

    Value replace(String text, String old, String by, long most) {
        long found = PythonStrings.count(text, old);
        long times = most < 0 ? found : Math.min(found, most);
        budget.charge(text.length() + times * by.length());
        return new Value.Text(PythonStrings.replace(text, old, by, most));
    }

    private Value split(String text, CallArguments given, boolean fromEnd) {
        String separator = given.textOrNone(0);
        long most = given.whole(1, -1);
        if (separator == null) {
            budget.chargeValues(PythonStrings.count(text, Whitespace::is));
            if (fromEnd && most >= 0) {
                throw RefusedException.of("rsplit needs a separator");
            }
            return new Value.Items(PythonStrings.words(text, most));
        }
        if (separator.isEmpty()) {
            throw RefusedException.of("the separator of split is empty");
        }
        budget.chargeValues(PythonStrings.count(text, separator));
        return new Value.Items(
                fromEnd
                        ? PythonStrings.splitFromEnd(text, separator, most)
                        : PythonStrings.split(text, separator, most));
    }

    private Value lines(String text) {
        budget.chargeValues(PythonStrings.count(text, PythonStrings::isLineEnd));
        return new Value.Items(
                PythonStrings.lines(text).stream().<Value>map(Value.Text::new).toList());
    }

    private Value join(String separator, Value all) {
        var joined = new StringBuilder();
        String gap = "";
        for (Value item : sequences.items(all)) {
            if (!(item instanceof Value.Text(String text))) {
                throw RefusedException.of("join needs strings, found %s", item.type());
            }
            budget.charge((long) gap.length() + text.length());
            joined.append(gap).append(text);
            gap = separator;
        }
        return new Value.Text(joined.toString());
    }
}
