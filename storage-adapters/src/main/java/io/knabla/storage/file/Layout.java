package io.knabla.storage.file;

import io.knabla.storage.ObjectKey;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Maps keys to files: {@code catalog/digits.json} is the file {@code objects/catalog+/digits.json}.
 *
 * <ul>
 *   <li>A folder name ends in {@code +}, which no key contains, so {@code a} and {@code a/b} are different entries, as
 *       in S3.
 *   <li>An upper-case letter is written as {@code ^} and its lower case: keys that differ only in case stay distinct on
 *       file systems that ignore case.
 *   <li>A segment too long for one file name continues inside a folder with a name that ends in {@code =}.
 * </ul>
 */
final class Layout {
    static final char FOLDER = '+';
    static final char CONTINUED = '=';
    private static final char UPPER = '^';

    /** Characters of a segment in one file name: twice this plus a mark stays below 255 bytes. */
    private static final int PIECE = 120;

    private final Path objects;

    Layout(Path objects) {
        this.objects = objects;
    }

    Path objects() {
        return objects;
    }

    Path file(ObjectKey key) {
        return objects.resolve(encode(key.path()));
    }

    /** Returns the directory of a key prefix, which is "" or ends in {@code /}. */
    Path folder(String folder) {
        return objects.resolve(encode(folder));
    }

    private static String encode(String path) {
        StringBuilder encoded = new StringBuilder(path.length() + 16);
        int inPiece = 0;
        for (int i = 0; i < path.length(); i++) {
            char c = path.charAt(i);
            if (c == '/') {
                encoded.append(FOLDER).append('/');
                inPiece = 0;
                continue;
            }
            if (inPiece == PIECE) {
                encoded.append(CONTINUED).append('/');
                inPiece = 0;
            }
            if (c >= 'A' && c <= 'Z') {
                encoded.append(UPPER).append((char) (c | 0x20));
            } else {
                encoded.append(c);
            }
            inPiece++;
        }
        return encoded.toString();
    }

    /** Decodes a file or folder name into its part of the key; empty if Knabla did not write it. */
    static Optional<String> decode(String name) {
        StringBuilder decoded = new StringBuilder(name.length());
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            boolean last = i == name.length() - 1;
            if (c == UPPER && !last && isLower(name.charAt(i + 1))) {
                decoded.append((char) (name.charAt(++i) & ~0x20));
            } else if (c == FOLDER && last) {
                decoded.append('/');
            } else if (isPlain(c)) {
                decoded.append(c);
            } else if (c != CONTINUED || !last) {
                return Optional.empty();
            }
        }
        return Optional.of(decoded.toString());
    }

    private static boolean isLower(char c) {
        return c >= 'a' && c <= 'z';
    }

    private static boolean isPlain(char c) {
        return isLower(c) || c >= '0' && c <= '9' || c == '.' || c == '_' || c == '-';
    }
}
