package io.knabla.runtime.shm;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.IOException;
import java.util.OptionalLong;

/** A request to register a region: the region, or why there can be none. */
sealed interface RegionRegistration {
    record Accepted(SharedRegion region) implements RegionRegistration {}

    record Refused(String sentence) implements RegionRegistration {}

    /** Reads the first {@code length} bytes of a body; members that are unknown or null are ignored. */
    static RegionRegistration read(String name, byte[] json, int length) {
        return new Reader().read(name, json, length);
    }

    /** The members, numbers as they are written. */
    final class Reader {
        /** A member that is there twice would mean two regions. */
        private static final JsonFactory JSON = JsonFactory.builder()
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .build();

        /** A buffer of Java has no more bytes. */
        private static final int LARGEST = Integer.MAX_VALUE;

        private static final int LONGEST_QUOTE = 80;
        private static final String WORD = "1 to 64 letters, digits, '_', '-' and '.', not beginning with '-' or '.'";

        private String key = "";
        private String offset = "0";
        private String byteSize = "missing";

        private RegionRegistration read(String name, byte[] json, int length) {
            try (JsonParser in = JSON.createParser(json, 0, length)) {
                boolean object = in.nextToken() == JsonToken.START_OBJECT;
                for (String member = in.nextFieldName(); object && member != null; member = in.nextFieldName()) {
                    in.nextToken();
                    member(member, in);
                }
                if (object && in.currentToken() == JsonToken.END_OBJECT && in.nextToken() == null) {
                    return region(name);
                }
            } catch (IOException malformed) {
                // The sentence below says what is right.
            }
            return new Refused(
                    "the body is no JSON object with each member once; write {\"key\": \"/NAME\", \"offset\": 0, \"byte_size\": BYTES}");
        }

        private void member(String member, JsonParser in) throws IOException {
            String value = written(in);
            if (value.equals("null")) {
                return;
            }
            switch (member) {
                case "key" -> key = in.currentToken() == JsonToken.VALUE_STRING ? in.getText() : value;
                case "offset" -> offset = value;
                case "byte_size" -> byteSize = value;
                default -> {}
            }
        }

        private static String written(JsonParser in) throws IOException {
            if (!in.currentToken().isScalarValue()) {
                in.skipChildren();
                return "no number";
            }
            return in.currentToken() == JsonToken.VALUE_STRING ? '"' + in.getText() + '"' : in.getText();
        }

        private RegionRegistration region(String name) {
            String file = key.startsWith("/") ? key.substring(1) : key;
            if (!SharedRegion.isName(name)) {
                return new Refused("the region is called '%s'; write %s".formatted(cut(name), WORD));
            }
            if (!SharedRegion.isName(file)) {
                return new Refused(
                        "key is '%s'; write the name of a shared memory object: %s, a '/' may stand before it"
                                .formatted(cut(key), WORD));
            }
            OptionalLong size = number(byteSize, 1, LARGEST);
            if (size.isEmpty()) {
                return new Refused(
                        "byte_size is %s; write the bytes of the region, 1 to %d".formatted(cut(byteSize), LARGEST));
            }
            long most = Long.MAX_VALUE - size.getAsLong();
            OptionalLong start = number(offset, 0, most);
            return start.isPresent()
                    ? new Accepted(new SharedRegion(name, file, start.getAsLong(), size.getAsLong()))
                    : new Refused("offset is %s; write the bytes of the object before the region, 0 to %d"
                            .formatted(cut(offset), most));
        }

        private static OptionalLong number(String written, long least, long most) {
            try {
                long value = Long.parseLong(written);
                return value >= least && value <= most ? OptionalLong.of(value) : OptionalLong.empty();
            } catch (NumberFormatException none) {
                return OptionalLong.empty();
            }
        }

        private static String cut(String text) {
            return text.length() <= LONGEST_QUOTE ? text : text.substring(0, LONGEST_QUOTE) + "…";
        }
    }
}
