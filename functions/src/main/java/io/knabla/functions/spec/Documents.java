package io.knabla.functions.spec;

import java.util.Optional;

/** Turns text into one tree, or says why it is not one document. */
final class Documents {
    /** A function.yaml has a few hundred bytes; Kubernetes itself takes no object above this. */
    static final int MAX_CHARACTERS = 1 << 20;

    private Documents() {}

    static Optional<Tree> read(String text, Findings findings) {
        if (text.length() > MAX_CHARACTERS) {
            findings.fault(
                    "",
                    "the document has %d characters; at most %d are allowed. A function.yaml names its model, it does not contain it",
                    text.length(),
                    MAX_CHARACTERS);
            return Optional.empty();
        }
        // JSON goes to a JSON parser first: YAML takes most of it, but not tabs and some escapes.
        if (text.stripLeading().startsWith("{")) {
            Findings asJson = new Findings();
            Optional<Tree> tree = JsonDocument.read(text, asJson);
            if (tree.isPresent()) {
                findings.add(asJson.faults());
                return tree;
            }
        }
        return YamlDocument.read(text, findings);
    }
}
