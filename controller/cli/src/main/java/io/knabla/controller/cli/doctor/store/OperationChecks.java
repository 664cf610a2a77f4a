package io.knabla.controller.cli.doctor.store;

import io.knabla.storage.ByteRange;
import io.knabla.storage.Checkup.Answer;
import io.knabla.storage.Checkup.Check;
import io.knabla.storage.ObjectInfo;
import io.knabla.storage.ObjectKey;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** Tries each object operation that Knabla uses, once, and names the missing permissions. */
final class OperationChecks {
    private static final String TEXT = "written by ./knabla doctor";

    private final ScratchPrefix scratch;
    private final ObjectKey key;
    private boolean written;

    OperationChecks(ScratchPrefix scratch) {
        this.scratch = scratch;
        this.key = scratch.key("operations");
    }

    List<Check> checks() {
        return List.of(
                check("write", "s3:PutObject", this::write),
                check("read", "s3:GetObject", () -> expect(scratch.read(key), TEXT)),
                check("read a part", "s3:GetObject", () -> expect(part(), TEXT.substring(8, 18))),
                check(
                        "look at",
                        "s3:GetObject",
                        () -> expect(scratch.store().stat(key).map(ObjectInfo::size), (long) TEXT.length())),
                check("list", "s3:ListBucket", () -> expect(Optional.of(scratch.list()), List.of(key))),
                check("delete", "s3:DeleteObject", this::delete));
    }

    /** One operation; returns its fault, if any. */
    private interface Operation {
        Optional<String> fault() throws IOException;
    }

    private Check check(String name, String action, Operation operation) {
        boolean s3 = scratch.store().location().startsWith("s3:");
        return new Check(name, () -> {
            try {
                return operation
                        .fault()
                        .map(fault -> Answer.bad(fault, "use another server"))
                        .orElseGet(() -> Answer.good(s3 ? action : "works"));
            } catch (IOException | RuntimeException refused) {
                return Answer.bad(
                        (s3 ? action + " fails: " : "fails: ") + refused.getMessage(),
                        s3
                                ? "allow it: ./knabla doctor --store %s --policy prints the policy that Knabla needs"
                                        .formatted(scratch.store().location())
                                : "correct the folder's permissions");
            }
        });
    }

    private Optional<String> write() throws IOException {
        scratch.write(key, TEXT);
        written = true;
        return Optional.empty();
    }

    private Optional<String> part() throws IOException {
        try (InputStream in = scratch.store().open(key, new ByteRange(8, 10)).orElseGet(InputStream::nullInputStream)) {
            return Optional.of(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    private Optional<String> delete() {
        scratch.store().delete(key);
        return scratch.read(key).map(_ -> "a deleted object can still be read");
    }

    /** Compares the content only if the write worked; otherwise only the permission is checked. */
    private <T> Optional<String> expect(Optional<T> found, T wanted) {
        return !written || found.filter(wanted::equals).isPresent()
                ? Optional.empty()
                : Optional.of("found %s where %s was written"
                        .formatted(found.<Object>map(f -> f).orElse("nothing"), wanted));
    }
}
