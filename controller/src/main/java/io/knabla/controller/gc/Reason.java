package io.knabla.controller.gc;

/** Reason why an object is kept or deleted; the sentence follows "because". */
enum Reason {
    NEEDED(true, "a version needs it"),
    YOUNG(true, "it is younger than the grace period, or belongs to an object that is"),
    DOUBT(true, "a unit that cannot be read may need it"),
    FOREIGN(true, "this version of Knabla does not know its name"),
    NO_VERSION(false, "no version needs it"),
    NO_UNIT(false, "it is about a unit that no version needs"),
    NO_FILE(false, "no version needs the model that it names"),
    NO_FUNCTION(false, "it is the state of a version that is gone"),
    LEFT_BEHIND(false, "an upload or a deploy left it behind");

    private final boolean keeps;
    private final String sentence;

    Reason(boolean keeps, String sentence) {
        this.keeps = keeps;
        this.sentence = sentence;
    }

    boolean keeps() {
        return keeps;
    }

    String sentence() {
        return sentence;
    }
}
