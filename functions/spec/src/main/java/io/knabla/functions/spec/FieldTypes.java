package io.knabla.functions.spec;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.knabla.functions.spec.Tree.Kind;
import io.knabla.functions.spec.Tree.Scalar;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.DoublePredicate;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Factories of field types with bounds and error messages. */
final class FieldTypes {
    private static final String AUTO = "auto";

    /** At least one visible character and no control characters. */
    private static final String PRINTABLE =
            "^[^\\x00-\\x1f\\x7f-\\x9f]*[^\\x00-\\x20\\x7f-\\x9f][^\\x00-\\x1f\\x7f-\\x9f]*$";

    private FieldTypes() {}

    static FieldType<Integer> integer(int least, int most) {
        String allowed = "a whole number from %d to %d".formatted(least, most);
        return FieldType.of(() -> StructuralSchema.integer(least, most), (value, path, findings) -> {
            if (value instanceof Scalar(Kind kind, String text)
                    && kind == Kind.INTEGER
                    && text.matches("-?(0|[1-9]\\d{0,17})")
                    && Long.parseLong(text) >= least
                    && Long.parseLong(text) <= most) {
                return Optional.of(Integer.parseInt(text));
            }
            return refused(value, path, findings, allowed, Kind.INTEGER);
        });
    }

    /** A number above {@code above}, at most {@code most}. */
    static FieldType<Double> decimal(int above, int most) {
        return number(
                () -> StructuralSchema.above(StructuralSchema.number(above, most)),
                "a number above %d and up to %d".formatted(above, most),
                number -> number > above && number <= most);
    }

    static FieldType<Double> from(int least, int most) {
        return number(
                () -> StructuralSchema.number(least, most),
                "a number from %d to %d".formatted(least, most),
                number -> number >= least && number <= most);
    }

    static FieldType<Double> fraction() {
        return number(
                () -> StructuralSchema.below(StructuralSchema.number(0, 1)),
                "a number from 0 to below 1",
                number -> number >= 0 && number < 1);
    }

    private static FieldType<Double> number(Supplier<ObjectNode> schema, String allowed, DoublePredicate fits) {
        return FieldType.of(schema, (value, path, findings) -> {
            if (value instanceof Scalar(Kind kind, String text)
                    && (kind == Kind.INTEGER || kind == Kind.DECIMAL)
                    && text.matches("[-+]?\\d{0,40}\\.?\\d{0,40}([eE][-+]?\\d{1,3})?")
                    && text.matches(".*\\d.*")) {
                double number = Double.parseDouble(text);
                if (fits.test(number)) {
                    return Optional.of(number);
                }
            }
            return refused(value, path, findings, allowed, Kind.DECIMAL);
        });
    }

    /** Accepts only {@code true} and {@code false}: YAML parsers disagree about yes, no, on and off. */
    static FieldType<Boolean> bool() {
        return FieldType.of(
                StructuralSchema::bool,
                (value, path, findings) -> value instanceof Scalar(Kind kind, String text)
                                && kind == Kind.BOOLEAN
                                && List.of("true", "false").contains(text)
                        ? Optional.of(text.equals("true"))
                        : refused(value, path, findings, "true or false", Kind.BOOLEAN));
    }

    /** Formatted text; {@code parse} returns empty for invalid text. */
    static <T> FieldType<T> form(Supplier<ObjectNode> schema, String allowed, Function<String, Optional<T>> parse) {
        return FieldType.of(schema, (value, path, findings) -> {
            if (value instanceof Scalar(Kind kind, String text) && kind == Kind.TEXT) {
                Optional<T> parsed = parse.apply(text);
                if (parsed.isPresent()) {
                    return parsed;
                }
            }
            return refused(value, path, findings, allowed, Kind.TEXT);
        });
    }

    static FieldType<String> text(String allowed, int most) {
        return form(
                () -> StructuralSchema.pattern(StructuralSchema.text(most), PRINTABLE),
                "%s of at most %d printable characters".formatted(allowed, most),
                text -> Optional.of(text)
                        .filter(t -> !t.isBlank() && t.length() <= most)
                        .filter(t -> t.chars().noneMatch(Character::isISOControl)));
    }

    static <E extends Enum<E>> FieldType<E> choice(Class<E> closed) {
        List<String> names =
                Stream.of(closed.getEnumConstants()).map(Enum::name).toList();
        return FieldType.of(() -> StructuralSchema.choice(names), (value, path, findings) -> {
            String written = value instanceof Scalar(Kind kind, String text) ? text : "";
            if (names.contains(written)) {
                return Optional.of(Enum.valueOf(closed, written));
            }
            findings.fault(
                    path,
                    "found %s%s; write one of %s",
                    value.described(),
                    SpellingHints.hint(written, names),
                    String.join(", ", names));
            return Optional.empty();
        });
    }

    static FieldType<Duration> duration(Duration least, Duration most) {
        String allowed = "a duration from %s to %s such as 30s, 10m, 1h30m or 250ms"
                .formatted(Durations.format(least), Durations.format(most));
        FieldType<Duration> written = form(
                () -> StructuralSchema.duration(least, most, allowed),
                allowed,
                text -> Durations.parse(text).filter(d -> d.compareTo(least) >= 0 && d.compareTo(most) <= 0));
        return FieldType.of(written::schema, (value, path, findings) -> {
            if (value instanceof Scalar(Kind kind, String _) && (kind == Kind.INTEGER || kind == Kind.DECIMAL)) {
                findings.fault(path, "found %s, which has no unit; write %s", value.described(), allowed);
                return Optional.empty();
            }
            return written.read(value, path, findings);
        });
    }

    static FieldType<Long> quantity(Quantities.Unit unit, String allowed, long least, long most) {
        return FieldType.of(() -> StructuralSchema.quantity(unit, least, most, allowed), (value, path, findings) -> {
            Optional<Long> amount =
                    value instanceof Scalar(Kind kind, String text) && kind != Kind.BOOLEAN && kind != Kind.NULL
                            ? unit.parse(text).filter(a -> a >= least && a <= most)
                            : Optional.empty();
            return amount.isPresent() ? amount : refused(value, path, findings, allowed, Kind.TEXT);
        });
    }

    /** Reads {@code auto} as an empty value, which is decided later. */
    static <T> FieldType<Optional<T>> orAuto(FieldType<T> type) {
        return FieldType.of(
                () -> StructuralSchema.or(AUTO, type.schema()),
                (value, path, findings) -> value instanceof Scalar(Kind kind, String text) && text.equals(AUTO)
                        ? Optional.of(Optional.empty())
                        : type.read(value, path, findings).map(Optional::of));
    }

    static <T> FieldType<List<T>> list(FieldType<T> item, int most) {
        return FieldType.of(() -> StructuralSchema.list(item.schema(), most), (value, path, findings) -> {
            if (!(value instanceof Tree.Sequence(var items)) || items.size() > most) {
                String found =
                        value instanceof Tree.Sequence(var items) ? "a list of " + items.size() : value.described();
                findings.fault(path, "found %s; write a list of at most %d", found, most);
                return Optional.empty();
            }
            List<T> read = new ArrayList<>();
            for (int i = 0; i < items.size(); i++) {
                item.read(items.get(i), path + "[" + i + "]", findings).ifPresent(read::add);
            }
            return Optional.of(List.copyOf(read));
        });
    }

    /** An entry whose value is null is as absent, as a key of a mapping is, and as an API server prunes it. */
    static <T> FieldType<Map<String, T>> map(FieldType<String> key, FieldType<T> item, int most) {
        return FieldType.of(() -> StructuralSchema.map(item.schema(), most), (value, path, findings) -> {
            if (!(value instanceof Tree.Mapping(var entries)) || entries.size() > most) {
                String found =
                        value instanceof Tree.Mapping(var entries) ? entries.size() + " entries" : value.described();
                findings.fault(path, "found %s; write at most %d entries, name: value", found, most);
                return Optional.empty();
            }
            Map<String, T> read = new LinkedHashMap<>();
            entries.forEach((name, tree) -> {
                if (tree.isNull()) {
                    return;
                }
                String at = MappingReader.join(path, name);
                key.read(new Scalar(Kind.TEXT, name), at, findings);
                item.read(tree, at, findings).ifPresent(v -> read.put(name, v));
            });
            return Optional.of(read);
        });
    }

    private static <T> Optional<T> refused(Tree value, String path, Findings findings, String allowed, Kind wanted) {
        findings.fault(path, "found %s; write %s%s", value.described(), allowed, quotes(value, wanted));
        return Optional.empty();
    }

    /** Hints at quotes: most wrong types are right values with missing or superfluous quotes. */
    private static String quotes(Tree value, Kind wanted) {
        return switch (value) {
            case Scalar(Kind kind, String text)
            when kind == Kind.TEXT && wanted != Kind.TEXT && text.matches("-?[0-9.]{1,20}") -> ", without quotes";
            case Scalar(Kind kind, String text)
            when wanted == Kind.TEXT && kind != Kind.TEXT && kind != Kind.NULL ->
                "; in quotes if it looks like a number or a yes or no";
            case Scalar scalar -> "";
            case Tree.Mapping mapping -> "";
            case Tree.Sequence sequence -> "";
        };
    }
}
