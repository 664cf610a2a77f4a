package io.knabla.functions.tokenizer.tree;

import io.knabla.functions.tokenizer.tree.Tree.Decimal;
import io.knabla.functions.tokenizer.tree.Tree.Flag;
import io.knabla.functions.tokenizer.tree.Tree.Mapping;
import io.knabla.functions.tokenizer.tree.Tree.Nothing;
import io.knabla.functions.tokenizer.tree.Tree.Sequence;
import io.knabla.functions.tokenizer.tree.Tree.Text;
import io.knabla.functions.tokenizer.tree.Tree.Whole;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reads the entries of one mapping with their expected types. A wrong value is reported as a fault, and a stand-in of
 * the expected type is returned, so that one reading reports all faults.
 */
public final class Fields {
    private static final Nothing NOTHING = new Nothing();

    private final Map<String, Tree> entries;
    private final String path;
    private final Faults faults;
    private final Set<String> known = new HashSet<>();

    private Fields(Map<String, Tree> entries, String path, Faults faults) {
        this.entries = entries;
        this.path = path;
        this.faults = faults;
    }

    /** Fields of a value that must be an object. */
    public static Fields of(Tree tree, String path, Faults faults) {
        if (tree instanceof Mapping(var entries)) {
            return new Fields(entries, path, faults);
        }
        faults.add(path, "found %s; an object is needed", tree.kind());
        return new Fields(Map.of("type", NOTHING), path, faults);
    }

    /** Path of the object itself. */
    public String path() {
        return path;
    }

    /** Path of one of its entries. */
    public String path(String key) {
        return path.isEmpty() ? key : path + "." + key;
    }

    public Faults faults() {
        return faults;
    }

    /** Reports a fault of an entry. */
    public void fault(String key, String message, Object... arguments) {
        faults.add(path(key), message, arguments);
    }

    /** Value of an entry; {@link Nothing} if it is absent. */
    public Tree value(String key) {
        known.add(key);
        return entries.getOrDefault(key, NOTHING);
    }

    /** Whether the entry is present and not null. */
    public boolean has(String key) {
        return !(value(key) instanceof Nothing);
    }

    public String text(String key) {
        return switch (value(key)) {
            case Text(var text) -> text;
            case Tree other -> wrong(key, other, "a text", "");
        };
    }

    public String text(String key, String fallback) {
        return has(key) ? text(key) : fallback;
    }

    /** Text of exactly one character (Unicode code point). */
    public int character(String key) {
        String text = text(key);
        if (text.isEmpty() || text.codePointCount(0, text.length()) != 1) {
            return wrong(key, value(key), "a text of one character", (int) ' ');
        }
        return text.codePointAt(0);
    }

    public boolean flag(String key, boolean fallback) {
        return switch (value(key)) {
            case Flag(var flag) -> flag;
            case Nothing _ -> fallback;
            case Tree other -> wrong(key, other, "true or false", fallback);
        };
    }

    /** Whole number from 0 to {@code most}. */
    public int count(String key, int most) {
        if (value(key) instanceof Whole(var number) && number >= 0 && number <= most) {
            return (int) number;
        }
        return wrong(key, value(key), "a whole number from 0 to " + most, 0);
    }

    public double number(String key) {
        return switch (value(key)) {
            case Whole(var number) -> number;
            case Decimal(var number) -> number;
            case Tree other -> wrong(key, other, "a number", 0.0);
        };
    }

    /** Items of a list, at most {@code most}. */
    public List<Tree> items(String key, int most) {
        if (!(value(key) instanceof Sequence(var items))) {
            return wrong(key, value(key), "a list", List.of());
        }
        if (items.size() > most) {
            fault(key, "%d items; at most %d are allowed", items.size(), most);
            return items.subList(0, most);
        }
        return items;
    }

    /** Fields of every object in a list, at most {@code most}. */
    public List<Fields> objects(String key, int most) {
        List<Fields> objects = new ArrayList<>();
        for (Tree item : items(key, most)) {
            objects.add(of(item, path(key) + "[" + objects.size() + "]", faults));
        }
        return objects;
    }

    /** Fields of an entry that must be an object. */
    public Fields object(String key) {
        return of(value(key), path(key), faults);
    }

    /** One of these constants, by its name. */
    public <T extends Enum<T>> T oneOf(String key, Class<T> type) {
        return oneOf(key, text(key), type);
    }

    public <T extends Enum<T>> T oneOf(String key, Class<T> type, T fallback) {
        return has(key) ? oneOf(key, type) : fallback;
    }

    private <T extends Enum<T>> T oneOf(String key, String written, Class<T> type) {
        T[] all = type.getEnumConstants();
        for (T constant : all) {
            if (constant.toString().equals(written)) {
                return constant;
            }
        }
        chosen(key, written, List.of(all).stream().map(Object::toString).toList());
        return all[0];
    }

    /** The name of the object's type if it is one of these; otherwise reports the nearest one. */
    public Optional<String> type(List<String> allowed) {
        return chosen("type", text("type"), allowed);
    }

    private Optional<String> chosen(String key, String written, List<String> allowed) {
        if (allowed.contains(written)) {
            return Optional.of(written);
        }
        if (value(key) instanceof Text) {
            fault(
                    key,
                    "%s is not supported, nearest is '%s'; allowed: %s",
                    Faults.quote(written),
                    Nearest.of(written, allowed),
                    String.join(", ", allowed));
        }
        return Optional.empty();
    }

    /** Keys of the object. */
    public Set<String> keys() {
        return entries.keySet();
    }

    /** Reports every entry that was not read and is not null: what it asks for would not be done. */
    public void nothingElse() {
        for (var entry : entries.entrySet()) {
            if (!known.contains(entry.getKey()) && !(entry.getValue() instanceof Nothing)) {
                fault(
                        entry.getKey(),
                        "not supported here; remove it, or use one of %s",
                        String.join(", ", known.stream().sorted().toList()));
            }
        }
    }

    private <T> T wrong(String key, Tree found, String wanted, T standIn) {
        fault(
                key,
                found instanceof Nothing && !entries.containsKey(key)
                        ? "missing; %2$s is needed"
                        : "found %s; %s is needed",
                found.kind(),
                wanted);
        return standIn;
    }
}
