package io.knabla.storage.file;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.knabla.storage.Content;
import io.knabla.storage.Contents;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.StorageException;
import io.knabla.storage.StoredObject;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Child process that works on the same file store; tests race it, limit it and kill it. */
public final class StoreChild {
    private StoreChild() {}

    /** Starts {@code verb} on the store in {@code root}; {@code prefix} may start a shell. */
    static Process start(List<String> prefix, Path root, String verb, String argument) throws IOException {
        List<String> command = new ArrayList<>(prefix);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:-UsePerfData", "-Xshare:auto"));
        command.addAll(List.of("-cp", places(), StoreChild.class.getName()));
        command.addAll(List.of(root.toString(), verb, argument));
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static String places() {
        return place(StoreChild.class) + File.pathSeparator + place(ObjectStore.class);
    }

    private static Path place(Class<?> type) {
        try {
            return Path.of(
                    type.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException impossible) {
            throw new AssertionError(impossible);
        }
    }

    public static void main(String[] arguments) throws IOException {
        try (ObjectStore store = FileObjectStore.open(Path.of(arguments[0]))) {
            switch (arguments[1]) {
                case "count" -> count(store, Integer.parseInt(arguments[2]));
                case "create" -> create(store, arguments[2]);
                case "open" -> store.location(); // opening sweeps; nothing else to do
                case "fill" -> fill(store);
                case "write" -> write(store, Long.parseLong(arguments[2]));
                default -> throw new AssertionError(arguments[1]);
            }
        }
    }

    /** Increments the counter by replaceIfMatch: a lost update shows in the sum. */
    static void count(ObjectStore store, int times) throws IOException {
        ObjectKey key = ObjectKey.of("counter");
        store.createOnce(key, Content.of("0".getBytes(UTF_8)));
        for (int done = 0; done < times; ) {
            StoredObject now = store.read(key).orElseThrow();
            int next = Integer.parseInt(new String(now.bytes(), UTF_8)) + 1;
            byte[] bytes = Integer.toString(next).getBytes(UTF_8);
            if (store.replaceIfMatch(key, now.etag(), Content.of(bytes)).isPresent()) {
                done++;
            }
        }
    }

    /** Waits for a line of input, then creates keys 0 to 99 and prints those that it created first. */
    static void create(ObjectStore store, String name) throws IOException {
        System.out.println("at the line");
        System.in.read();
        for (int i = 0; i < 100; i++) {
            ObjectKey key = ObjectKey.of("race/" + i);
            if (store.createOnce(key, Content.of(name.getBytes(UTF_8))).isPresent()) {
                System.out.println(i);
            }
        }
    }

    /** Writes objects, each filled with one byte value, until killed. */
    private static void fill(ObjectStore store) throws IOException {
        for (int i = 0; ; i++) {
            ObjectKey key = ObjectKey.of("fill/" + i % 3);
            store.write(key, Contents.filled((byte) i, 300_000 + i % 3 * 200_000));
            System.out.println("wrote " + key);
        }
    }

    private static void write(ObjectStore store, long size) throws IOException {
        try {
            store.write(ObjectKey.of("big"), Contents.filled((byte) 1, size));
            System.out.println("written");
        } catch (StorageException refused) {
            System.out.println(refused.getMessage());
        }
    }
}
