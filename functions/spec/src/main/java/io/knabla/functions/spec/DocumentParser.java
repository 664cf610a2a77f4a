package io.knabla.functions.spec;

import java.util.Optional;

/** Parses YAML or JSON text into a tree, or reports why it is not exactly one document. */
final class DocumentParser {
    /** A function.yaml has a few hundred bytes; Kubernetes refuses larger objects, too. */
    static final int MAX_CHARACTERS = 1 << 20;

    private DocumentParser() {}

    static Optional<Tree> read(String written, Findings findings) {
        // Windows' editors begin a file in UTF-8 with a byte order mark.
        String text = written.startsWith("\uFEFF") ? written.substring(1) : written;
        if (text.length() > MAX_CHARACTERS) {
            findings.fault(
                    "",
                    "the document has %d characters; at most %d are allowed. A function.yaml names its model, it does not contain it",
                    text.length(),
                    MAX_CHARACTERS);
            return Optional.empty();
        }
        // Tries a JSON parser first: a YAML parser accepts most JSON, but not tabs and some escapes.
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
