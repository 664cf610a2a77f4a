package io.knabla.controller.doors;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** What a host's name says about where it leads, without asking a name server. */
public final class Addresses {
    private static final Pattern LOOPBACK_V4 = Pattern.compile("127(\\.\\d{1,3}){3}");

    private Addresses() {}

    /** Whether only this machine can reach it. */
    public static boolean isLoopback(String host) {
        String name = bare(host);
        return name.equals("localhost")
                || name.endsWith(".localhost")
                || name.equals("::1")
                || name.equals("0:0:0:0:0:0:0:1")
                || LOOPBACK_V4.matcher(name).matches();
    }

    static boolean isEverywhere(String host) {
        String name = bare(host);
        return name.equals("0.0.0.0") || name.equals("::") || name.equals("0:0:0:0:0:0:0:0");
    }

    /** A start on that host is refused with this sentence, if it is. */
    public static Optional<String> refusal(String host, Optional<String> token) {
        if (isLoopback(host) || token.filter(text -> !text.isBlank()).isPresent()) {
            return Optional.empty();
        }
        return Optional.of(
                "--host %s lets other machines in, which needs a token: set KNABLA_TOKEN to a long random text, such as the output of 'openssl rand -hex 32', or leave --host away"
                        .formatted(host));
    }

    /** Lower case, without brackets and without the dot that ends a full name. */
    static String bare(String host) {
        String name = host.toLowerCase(Locale.ROOT);
        if (name.startsWith("[") && name.endsWith("]")) {
            name = name.substring(1, name.length() - 1);
        }
        return name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
    }

    /** The host of {@code host[:port]}; empty where it is neither. */
    static Optional<String> hostOf(String authority) {
        int end = authority.startsWith("[") ? authority.indexOf(']') + 1 : authority.indexOf(':');
        String host = end < 0 ? authority : authority.substring(0, end);
        String rest = end < 0 ? "" : authority.substring(end);
        return host.isEmpty() || !rest.matches("(:\\d{1,5})?") ? Optional.empty() : Optional.of(host);
    }
}
