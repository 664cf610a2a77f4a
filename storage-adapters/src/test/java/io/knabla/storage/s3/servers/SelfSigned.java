package io.knabla.storage.s3.servers;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A key with a certificate for 127.0.0.1 that only those trust who are given it.
 *
 * @param keys PKCS12 file
 * @param ca the certificate as PEM
 */
public record SelfSigned(Path keys, String password, Path ca) {
    private static final String PASSWORD = "of-a-test";

    /** @param folder for the files */
    public static SelfSigned make(Path folder) throws IOException {
        var made = new SelfSigned(folder.resolve("keys.p12"), PASSWORD, folder.resolve("ca.pem"));
        made.keytool(
                "-genkeypair", "-alias", "s3", "-keyalg", "EC", "-dname", "CN=localhost", "-ext", "san=ip:127.0.0.1");
        made.keytool("-exportcert", "-alias", "s3", "-rfc", "-file", made.ca.toString());
        return made;
    }

    private void keytool(String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.addAll(List.of(arguments));
        command.addAll(List.of("-keystore", keys.toString(), "-storetype", "PKCS12", "-storepass", password));
        Process keytool = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(keytool.getInputStream().readAllBytes());
        if (keytool.onExit().join().exitValue() != 0) {
            throw new IOException("keytool failed: " + said.strip());
        }
    }
}
