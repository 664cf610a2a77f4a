package io.knabla.storage.s3;

import io.knabla.storage.Content;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.s3.client.S3Bucket;
import io.knabla.storage.s3.client.S3Settings;
import io.knabla.storage.s3.client.WriteCondition;
import io.knabla.storage.s3.faults.S3Location;
import io.knabla.storage.s3.parts.MultipartWriter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Child process that uploads one object; tests kill it midway, or give it a heap smaller than the object. */
public final class UploadChild {
    private UploadChild() {}

    /**
     * Starts an upload of {@code size} bytes to {@code key}.
     *
     * @param stop number of bytes after which the content blocks until the process is killed
     */
    static Process start(S3Server server, String place, ObjectKey key, long size, long stop) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(ProcessHandle.current().info().command().orElseThrow());
        command.addAll(List.of("-Xmx64m", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData"));
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.addAll(List.of(UploadChild.class.getName(), place, key.path()));
        command.addAll(List.of(Long.toString(size), Long.toString(stop)));
        ProcessBuilder child = new ProcessBuilder(command);
        child.environment().putAll(server.environment());
        return child.redirectError(ProcessBuilder.Redirect.INHERIT).start();
    }

    public static void main(String[] arguments) throws IOException {
        long size = Long.parseLong(arguments[2]);
        long stop = Long.parseLong(arguments[3]);
        Content content = PatternedContent.watched(PatternedContent.named(size), read -> {
            if (read >= stop) {
                waitForever();
            }
        });
        try (S3Bucket bucket = new S3Bucket(S3Location.parse(arguments[0]), S3Settings.of(System.getenv()))) {
            var key = new ObjectKey(arguments[1]);
            new MultipartWriter(bucket).put(key, content, new WriteCondition.Absent(), Map.of("from", "child"));
        }
        System.out.println("sent");
    }

    private static void waitForever() {
        System.out.println("stopped");
        try {
            System.in.read();
        } catch (IOException killed) {
            throw new AssertionError(killed);
        }
    }
}
