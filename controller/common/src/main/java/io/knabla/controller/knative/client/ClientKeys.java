package io.knabla.controller.knative.client;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.NoSuchAlgorithmException;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;

/** Detects the algorithm of a client's PKCS #8 key: its header names none, and Fabric8 assumes RSA. */
public final class ClientKeys {
    private static final String BEGIN = "-----BEGIN PRIVATE KEY-----";
    private static final String END = "-----END PRIVATE KEY-----";

    private ClientKeys() {}

    /** Sets the algorithm of an elliptic-curve key; returns any other configuration unchanged. */
    public static Config withKeyAlgorithm(Config config) {
        return isElliptic(pem(config))
                ? new ConfigBuilder(config).withClientKeyAlgo("EC").build()
                : config;
    }

    private static String pem(Config config) {
        if (config.getClientKeyData() != null) {
            return new String(Base64.getMimeDecoder().decode(config.getClientKeyData()), StandardCharsets.UTF_8);
        }
        try {
            return config.getClientKeyFile() == null ? "" : Files.readString(Path.of(config.getClientKeyFile()));
        } catch (IOException unreadable) {
            // Fabric8 reads the file next, and reports the failure.
            return "";
        }
    }

    static boolean isElliptic(String pem) {
        int begin = pem.indexOf(BEGIN);
        int end = pem.indexOf(END);
        if (begin < 0 || end < begin) {
            return false;
        }
        byte[] key = Base64.getMimeDecoder().decode(pem.substring(begin + BEGIN.length(), end));
        try {
            KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(key));
            return true;
        } catch (InvalidKeySpecException | NoSuchAlgorithmException another) {
            return false;
        }
    }
}
