package io.knabla.functions.spec;

import com.cronutils.model.CronType;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.parser.CronParser;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.Optional;
import java.util.regex.Pattern;

/** Types of the formatted text fields in function.yaml: names, models, paths, cron expressions and time zones. */
final class TextFormats {
    private static final String A_DNS_LABEL =
            "a DNS label: 1 to 63 of a-z, 0-9 and -, starting and ending with a letter or digit";
    private static final Pattern DNS_LABEL = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");
    private static final String A_TAG =
            "a tag of at most 20 lower-case letters, digits and hyphens, starting with a letter, such as canary";
    private static final Pattern TAG = Pattern.compile("[a-z]([-a-z0-9]{0,18}[a-z0-9])?");
    private static final String A_SERVED_NAME =
            "1 to 128 of A-Z, a-z, 0-9, _, . and -, starting with a letter, a digit or _";
    private static final Pattern SERVED_NAME = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}");
    private static final Pattern DIGEST = Pattern.compile("sha256:[0-9a-f]{64}");
    private static final Pattern SCHEME = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*:.*");
    private static final Pattern BUCKET_KEY = Pattern.compile("s3://[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]/.*[^/]");
    private static final Pattern BUCKET_KEY_OR_FOLDER =
            Pattern.compile("s3://[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]/.*[^/]/?");

    /** Not mentioned in messages: UnsupportedFeatures refuses these URLs, with a clearer sentence. */
    private static final Pattern HTTPS = Pattern.compile("https://[^/\\s]+/\\S+");

    private static final String A_FOLDER =
            "a folder below that of this file, such as ./small/: names of A-Z, a-z, 0-9, _, ., + and -, none with a dot first; no address such as s3://bucket/small/";
    private static final Pattern FOLDER =
            Pattern.compile("(\\./)?[A-Za-z0-9_+-][A-Za-z0-9_.+-]*(/[A-Za-z0-9_+-][A-Za-z0-9_.+-]*)*/?");

    private static final int MAX_MODEL = 1024;

    private TextFormats() {}

    static FieldType<String> dnsLabel() {
        return FieldTypes.form(
                () -> StructuralSchema.form(63, DNS_LABEL.pattern(), A_DNS_LABEL),
                A_DNS_LABEL,
                text -> Optional.of(text).filter(t -> DNS_LABEL.matcher(t).matches()));
    }

    /** A tag of a traffic target; Knative names a Service after it and the function. */
    static FieldType<String> tag() {
        return FieldTypes.form(
                () -> StructuralSchema.form(20, TAG.pattern(), A_TAG),
                A_TAG,
                text -> Optional.of(text).filter(t -> TAG.matcher(t).matches()));
    }

    /** A model's name in the Open Inference Protocol, as Triton's repositories have them. */
    static FieldType<String> servedName() {
        return FieldTypes.form(
                () -> StructuralSchema.form(128, SERVED_NAME.pattern(), A_SERVED_NAME),
                A_SERVED_NAME,
                text -> Optional.of(text).filter(t -> SERVED_NAME.matcher(t).matches()));
    }

    /** A stored file of weights: a digest or an S3 URL. */
    static FieldType<String> storedFile() {
        return FieldTypes.form(
                () -> StructuralSchema.pattern(
                        StructuralSchema.text(MAX_MODEL), "^(?:" + DIGEST + "|" + BUCKET_KEY + ")$"),
                "sha256: and 64 lower-case hex digits, or s3://bucket/key",
                text -> Optional.of(text)
                        .filter(t -> DIGEST.matcher(t).matches()
                                || isModel(t) && BUCKET_KEY.matcher(t).matches()));
    }

    static FieldType<String> model() {
        return FieldTypes.form(
                TextFormats::stored,
                "a path beside this file, file:///path, s3://bucket/key, or sha256: and 64 lower-case hex digits",
                text -> Optional.of(text).filter(TextFormats::isModel));
    }

    /** The API server's schema of a model: no path, since {@code kubectl} sends no files. */
    private static ObjectNode stored() {
        ObjectNode text = StructuralSchema.text(MAX_MODEL);
        StructuralSchema.rule(
                text,
                "self.matches('^[A-Za-z][A-Za-z0-9+.-]*:') && !self.startsWith('file:')",
                "found a path, and kubectl sends no files; write s3://bucket/key, or sha256: and the digest of an uploaded file,"
                        + " or let the command line send it: ./knabla deploy -f function.yaml --context NAME");
        return StructuralSchema.rule(
                text,
                "self.startsWith('file:') || !self.matches('^[A-Za-z][A-Za-z0-9+.-]*:') || "
                        + StructuralSchema.matches("self", DIGEST + "|" + BUCKET_KEY_OR_FOLDER + "|" + HTTPS)
                        + " && !self.matches(r'[\\x00-\\x1f\\x7f-\\x9f]')",
                "write s3://bucket/key, or sha256: and 64 lower-case hex digits");
    }

    private static boolean isModel(String text) {
        if (text.isBlank() || text.length() > MAX_MODEL || text.chars().anyMatch(Character::isISOControl)) {
            return false;
        }
        if (!SCHEME.matcher(text).matches()) {
            return true;
        }
        return DIGEST.matcher(text).matches()
                || BUCKET_KEY_OR_FOLDER.matcher(text).matches()
                || HTTPS.matcher(text).matches()
                || text.startsWith("file:///");
    }

    /** Location of an external data file: a path in the model's folder or below it. */
    static FieldType<String> location() {
        return FieldTypes.form(
                () -> StructuralSchema.text(MAX_MODEL),
                "a relative path without '..', as the model names its external data",
                text -> Optional.of(text).filter(TextFormats::isConfined));
    }

    /** A folder below that of function.yaml, and not that folder itself. */
    static FieldType<String> folder() {
        return FieldTypes.form(
                () -> StructuralSchema.form(MAX_MODEL, FOLDER.pattern(), A_FOLDER),
                A_FOLDER,
                text -> Optional.of(text)
                        .filter(t ->
                                t.length() <= MAX_MODEL && FOLDER.matcher(t).matches()));
    }

    private static boolean isConfined(String text) {
        boolean climbs = ("/" + text + "/").contains("/../");
        return !text.isBlank()
                && text.length() <= MAX_MODEL
                && !text.startsWith("/")
                && !text.contains("\\")
                && !climbs
                && text.chars().noneMatch(Character::isISOControl);
    }

    static FieldType<String> cron() {
        String allowed = "five cron fields, minute hour day month weekday, such as 0 8 * * 1-5";
        return FieldTypes.form(
                () -> StructuralSchema.form(200, "\\S+( +\\S+){4}", allowed),
                allowed,
                text -> Optional.of(text).filter(TextFormats::isCron));
    }

    private static boolean isCron(String text) {
        if (text.length() > 200) {
            return false;
        }
        try {
            new CronParser(CronDefinitionBuilder.instanceDefinitionFor(CronType.UNIX))
                    .parse(text)
                    .validate();
            return true;
        } catch (IllegalArgumentException notCron) {
            return false;
        }
    }

    static FieldType<String> timezone() {
        String allowed = "a time zone such as Europe/Berlin or UTC";
        return FieldTypes.form(
                () -> StructuralSchema.form(64, "[A-Za-z0-9+:/_.-]+", allowed),
                allowed,
                text -> Optional.of(text).filter(TextFormats::isZone));
    }

    private static boolean isZone(String text) {
        try {
            ZoneId.of(text);
            return true;
        } catch (DateTimeException unknown) {
            return false;
        }
    }
}
