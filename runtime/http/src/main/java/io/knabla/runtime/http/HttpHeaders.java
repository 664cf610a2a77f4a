package io.knabla.runtime.http;

/** Header fields of a request or a response, in the order received; names ignore case. */
public final class HttpHeaders {
    private final String[] fields;
    private final int length;

    /**
     * @param fields names at even places, values at odd ones
     * @param length number of used places
     */
    HttpHeaders(String[] fields, int length) {
        this.fields = fields;
        this.length = length;
    }

    /** @param fields names and values in turn */
    public static HttpHeaders of(String... fields) {
        return new HttpHeaders(fields.clone(), fields.length);
    }

    public int size() {
        return length / 2;
    }

    public String name(int index) {
        return fields[2 * index];
    }

    public String value(int index) {
        return fields[2 * index + 1];
    }

    /** The first value of this name; null if absent. */
    public String get(String name) {
        for (int i = 0; i < length; i += 2) {
            if (fields[i].equalsIgnoreCase(name)) {
                return fields[i + 1];
            }
        }
        return null;
    }

    public int count(String name) {
        int count = 0;
        for (int i = 0; i < length; i += 2) {
            if (fields[i].equalsIgnoreCase(name)) {
                count++;
            }
        }
        return count;
    }

    /** Whether the list of tokens in the headers of this name contains {@code token}, ignoring case. */
    public boolean lists(String name, String token) {
        for (int i = 0; i < length; i += 2) {
            if (fields[i].equalsIgnoreCase(name) && contains(fields[i + 1], token)) {
                return true;
            }
        }
        return false;
    }

    private static boolean contains(String list, String token) {
        for (String part : list.split(",")) {
            if (part.strip().equalsIgnoreCase(token)) {
                return true;
            }
        }
        return false;
    }
}
