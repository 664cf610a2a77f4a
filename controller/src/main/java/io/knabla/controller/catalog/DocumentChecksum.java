package io.knabla.controller.catalog;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * Checksum in the last member of a function's document, by which a changed byte is noticed: SHA-256, hexadecimal, of
 * the document's bytes with zeros in place of these 64 digits.
 */
final class DocumentChecksum {
    private static final String MEMBER = "checksum";
    private static final String ZEROS = "0".repeat(64);

    private DocumentChecksum() {}

    /** Adds the member, to be filled when the document is text. */
    static void reserve(ObjectNode document) {
        document.put(MEMBER, ZEROS);
    }

    /** Returns the bytes of a document whose checksum was reserved. */
    static byte[] fill(String document) {
        int at = document.lastIndexOf(ZEROS);
        String checksum = sha256(document);
        return (document.substring(0, at) + checksum + document.substring(at + ZEROS.length()))
                .getBytes(StandardCharsets.UTF_8);
    }

    /** Whether the bytes are those that were written; also true of a document without a checksum, as it was once. */
    static boolean matches(byte[] bytes, JsonNode document) {
        JsonNode checksum = document.path(MEMBER);
        if (checksum.isMissingNode()) {
            return true;
        }
        String text = new String(bytes, StandardCharsets.UTF_8);
        int at = text.lastIndexOf(checksum.asText());
        boolean isWhole = checksum.asText().length() == ZEROS.length()
                && Arrays.equals(text.getBytes(StandardCharsets.UTF_8), bytes);
        return isWhole
                && at >= 0
                && sha256(text.substring(0, at) + ZEROS + text.substring(at + ZEROS.length()))
                        .equals(checksum.asText());
    }

    private static String sha256(String text) {
        try {
            MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
            return HexFormat.of().formatHex(sha256.digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java has SHA-256", impossible);
        }
    }
}
