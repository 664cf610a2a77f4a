package io.knabla.functions.chat;

/** What a template makes of a conversation. */
public sealed interface Rendered {
    record Text(String text) implements Rendered {}

    /** @param sentence why there is no text: the template's own words, or what it does with these messages */
    record Refused(String sentence) implements Rendered {}
}
