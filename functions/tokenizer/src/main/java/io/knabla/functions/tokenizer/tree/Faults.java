package io.knabla.functions.tokenizer.tree;

import java.util.ArrayList;
import java.util.List;

/** Collects the faults of one document; keeps the first 100 and counts the others. */
public final class Faults {
    private static final int MOST = 100;
    private static final int LONGEST_QUOTE = 80;

    private final List<TokenizerFault> kept = new ArrayList<>();
    private long more;

    /** Adds a fault; {@code message} is a format of {@link String#format}. */
    public void add(String path, String message, Object... arguments) {
        if (kept.size() < MOST) {
            kept.add(new TokenizerFault(path, message.formatted(arguments)));
        } else {
            more++;
        }
    }

    public boolean isEmpty() {
        return kept.isEmpty();
    }

    /** The faults in the order of their finding; the last one counts those that were not kept. */
    public List<TokenizerFault> list() {
        if (more == 0) {
            return List.copyOf(kept);
        }
        var all = new ArrayList<>(kept);
        all.add(new TokenizerFault("", "%d more faults; correct those above first".formatted(more)));
        return List.copyOf(all);
    }

    /** Text in quotes for a message, cut after 80 characters, with control characters made visible. */
    public static String quote(String text) {
        var quoted = new StringBuilder("'");
        text.chars().limit(LONGEST_QUOTE).forEach(c -> {
            if (Character.isISOControl(c) || Character.isSurrogate((char) c)) {
                quoted.append("\\u%04x".formatted(c));
            } else {
                quoted.append((char) c);
            }
        });
        return quoted.append(text.length() > LONGEST_QUOTE ? "…'" : "'").toString();
    }
}
