package io.knabla.storage.file;

import io.knabla.storage.ObjectKey;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Where an object lies: {@code catalog/digits.json} is the file {@code objects/catalog+/digits.json}.
 *
 * <ul>
 *   <li>A folder's name ends in {@code +}, which no key holds, so {@code a} and {@code a/b} are different entries, as
 *       in S3.
 *   <li>An upper-case letter is written {@code ^} and its lower case, so that keys which differ only in case stay two
 *       on file systems that ignore case.
 *   <li>A segment too long for one file name goes on inside a folder whose name ends in {@code =}.
 * </ul>
 */
final class Layout {
    static final char FOLDER = '+';
    static final char CONTINUED = '=';
    private static final char UPPER = '^';

    /** Characters of a segment in one file name: twice this and a mark stays below 255 bytes. */
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

    /** The folder of everything below {@code folder}, which is "" or ends in {@code /}. */
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

    /** What a file or folder name adds to the key; empty when it is not one of ours. */
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
