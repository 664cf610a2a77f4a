package io.knabla.storage.file;

import io.knabla.storage.ObjectKey;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Lists the keys with a prefix; opens only folders that can contain matches. */
final class Listing {
    private final String prefix;
    private final List<ObjectKey> keys = new ArrayList<>();

    private Listing(String prefix) {
        this.prefix = prefix;
    }

    static List<ObjectKey> keys(Layout layout, String prefix) throws IOException {
        String folder = prefix.substring(0, prefix.lastIndexOf('/') + 1);
        if (!folder.isEmpty() && !isKey(folder.substring(0, folder.length() - 1))) {
            return List.of();
        }
        Listing listing = new Listing(prefix);
        listing.walk(layout.folder(folder), folder);
        // Sorted at the end, because '/' sorts after '-' and '.', so folders alone do not give key order.
        Collections.sort(listing.keys);
        return listing.keys;
    }

    private void walk(Path folder, String path) throws IOException {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
            for (Path entry : entries) {
                String name = entry.getFileName().toString();
                String added = Layout.decode(name).orElse(null);
                if (added != null) {
                    visit(entry, name.charAt(name.length() - 1), path.concat(added));
                }
            }
        } catch (NoSuchFileException absent) {
            // Nothing was ever written below this folder.
        }
    }

    private void visit(Path entry, char mark, String path) throws IOException {
        boolean folder = mark == Layout.FOLDER || mark == Layout.CONTINUED;
        if (!path.startsWith(prefix) && !(folder && prefix.startsWith(path))) {
            return;
        }
        if (folder) {
            walk(entry, path);
        } else if (isKey(path)) {
            keys.add(new ObjectKey(path));
        }
    }

    private static boolean isKey(String path) {
        try {
            new ObjectKey(path);
            return true;
        } catch (IllegalArgumentException foreign) {
            return false;
        }
    }
}
