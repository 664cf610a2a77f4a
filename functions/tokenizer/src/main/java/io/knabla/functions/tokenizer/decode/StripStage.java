package io.knabla.functions.tokenizer.decode;

import io.knabla.functions.tokenizer.spec.Decoder;

/** Strips the ends of one token that comes in parts. */
final class StripStage implements Stage {
    private final Decoder.Strip strip;
    private final Stage next;
    private int toCut;
    private final StringBuilder held = new StringBuilder();

    StripStage(Decoder.Strip strip, Stage next) {
        this.strip = strip;
        this.next = next;
        toCut = strip.start();
    }

    /** A whole token, stripped. */
    static String whole(Decoder.Strip strip, String token) {
        int width = Character.charCount(strip.character());
        int from = 0;
        for (int i = 0;
                i < strip.start() && from < token.length() && token.codePointAt(from) == strip.character();
                i++) {
            from += width;
        }
        int to = token.length();
        for (int i = 0; i < strip.stop() && to > from && token.codePointBefore(to) == strip.character(); i++) {
            to -= width;
        }
        return token.substring(from, to);
    }

    @Override
    public void token(String token) {
        held.append(cutStart(token));
        next.token(releasable());
    }

    private String cutStart(String token) {
        int from = 0;
        while (toCut > 0 && from < token.length()) {
            if (token.codePointAt(from) == strip.character()) {
                from += Character.charCount(strip.character());
                toCut--;
            } else {
                toCut = 0;
            }
        }
        return token.substring(from);
    }

    /** Everything before the characters at the end that may be cut. */
    private String releasable() {
        String stripped = whole(new Decoder.Strip(strip.character(), 0, strip.stop()), held.toString());
        held.delete(0, stripped.length());
        return stripped;
    }

    @Override
    public void end() {
        next.end();
    }
}
