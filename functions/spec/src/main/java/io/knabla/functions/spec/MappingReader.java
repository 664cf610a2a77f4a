package io.knabla.functions.spec;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Reads one YAML mapping key by key. The schema requests each key by name, type and default; every other key is
 * reported as unknown, with the most similar known key.
 */
class MappingReader {
    private static final int MAX_UNKNOWN = 20;

    private final LinkedHashMap<String, Tree> entries;
    private final String path;
    private final Findings findings;
    private final Set<String> known = new LinkedHashSet<>();
    private final Map<String, String> missing = new LinkedHashMap<>();

    MappingReader(LinkedHashMap<String, Tree> entries, String path, Findings findings) {
        this.entries = entries;
        this.path = path;
        this.findings = findings;
    }

    /** Creates the type of a mapping that {@code reader} reads key by key. */
    static <T> FieldType<T> of(Function<MappingReader, T> reader) {
        return FieldType.of(() -> SchemaCollector.schema(reader), (value, path, findings) -> {
            if (!(value instanceof Tree.Mapping(var entries))) {
                findings.fault(path, "found %s; write a mapping of keys", value.described());
                return Optional.empty();
            }
            MappingReader block = new MappingReader(entries, path, findings);
            T read = reader.apply(block);
            block.refuseUnknown();
            block.refuseMissing();
            return Optional.of(read);
        });
    }

    /** The value, or the default if the key is absent, null or invalid. */
    <T> T get(String key, FieldType<T> type, T fallback) {
        return find(key, type).orElse(fallback);
    }

    <T> Optional<T> find(String key, FieldType<T> type) {
        known.add(key);
        Tree value = entries.get(key);
        if (value == null || value.isNull()) {
            return Optional.empty();
        }
        findings.given(at(key));
        return type.read(value, at(key), findings);
    }

    /** The value; if it is missing, records a fault and returns {@code standIn}, so reading continues. */
    <T> T require(String key, FieldType<T> type, T standIn, String whatToWrite) {
        Tree value = entries.get(key);
        if (value == null || value.isNull()) {
            known.add(key);
            missing.put(key, whatToWrite);
            return standIn;
        }
        return get(key, type, standIn);
    }

    /** Allows keys without reading them. */
    void ignore(String... keys) {
        known.addAll(Set.of(keys));
    }

    private String at(String key) {
        return join(path, key);
    }

    private void refuseUnknown() {
        int unknown = 0;
        for (String key : entries.keySet()) {
            if (!known.contains(key) && ++unknown <= MAX_UNKNOWN) {
                refuse(key);
            }
        }
        if (unknown > MAX_UNKNOWN) {
            findings.fault(path, "and %d more unknown keys", unknown - MAX_UNKNOWN);
        }
    }

    private void refuse(String key) {
        findings.fault(
                at(key),
                "unknown key %s%s; allowed here: %s",
                Tree.quoted(key),
                SpellingHints.hint(key, known),
                String.join(", ", known));
        // That the key it stands for is missing is the same fault.
        SpellingHints.closest(key, known)
                .filter(near -> missing.remove(near) != null)
                .ifPresent(near -> findings.misspelt(at(near)));
    }

    private void refuseMissing() {
        missing.forEach((key, whatToWrite) -> findings.fault(at(key), "missing; write %s", whatToWrite));
    }

    /** Appends a key to a path and quotes unusual keys: {@code spec.model}, {@code spec['a b']}. */
    static String join(String path, String key) {
        if (!key.isEmpty() && key.length() <= 60 && key.chars().allMatch(MappingReader::isPlain)) {
            return path.isEmpty() ? key : path + "." + key;
        }
        return path + "[" + Tree.quoted(key) + "]";
    }

    private static boolean isPlain(int c) {
        return c < 128 && (Character.isLetterOrDigit(c) || c == '_' || c == '-');
    }
}
