package io.knabla.functions.unit;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Lists the named files of a unit that holds no graphs, such as a tokenizer and weights; a replica opens them by the
 * loader of the unit's type.
 *
 * @param type starts with a capital letter
 * @param files by name, in any order; a name has no folder in it
 */
public record FileManifest(String type, Map<String, Blob> files) implements UnitManifest {
    /** The first schema of such units. */
    public static final int SCHEMA = 6;

    private static final int MAX_NAME = 128;

    public FileManifest {
        files = Collections.unmodifiableMap(new LinkedHashMap<>(files));
        if (!wellFormed(type) || !(type.charAt(0) >= 'A' && type.charAt(0) <= 'Z')) {
            throw new IllegalArgumentException(
                    "not the name of a type: '%s'; a capital letter, then letters, digits, . _ -".formatted(type));
        }
        if (files.isEmpty() || files.size() > ManifestLimits.FILES) {
            throw new IllegalArgumentException(
                    "%d files; a unit has 1 to %d".formatted(files.size(), ManifestLimits.FILES));
        }
        for (String name : files.keySet()) {
            if (!wellFormed(name) || name.equals(UnitStore.MANIFEST)) {
                throw new IllegalArgumentException(
                        "not the name of a file of a unit: '%s'; 1 to %d letters, digits, . _ -, no dot first, and not '%s'"
                                .formatted(name, MAX_NAME, UnitStore.MANIFEST));
            }
        }
    }

    @Override
    public int schema() {
        return SCHEMA;
    }

    @Override
    public GraphManifest graphs() {
        throw UnitException.noGraphs(type);
    }

    private static boolean wellFormed(String name) {
        if (name.isEmpty() || name.length() > MAX_NAME || name.charAt(0) == '.') {
            return false;
        }
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            boolean letter = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z';
            if (!letter && !(c >= '0' && c <= '9') && "._-".indexOf(c) < 0) {
                return false;
            }
        }
        return true;
    }
}
