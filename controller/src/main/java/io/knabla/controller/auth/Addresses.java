package io.knabla.controller.auth;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** Classifies host names as loopback or wildcard by their text alone, without DNS. */
public final class Addresses {
    private static final Pattern LOOPBACK_V4 = Pattern.compile("127(\\.\\d{1,3}){3}");

    private static final Pattern PORT = Pattern.compile("(:\\d{1,5})?");

    private Addresses() {}

    /** Whether only this machine can reach the host. */
    public static boolean isLoopback(String host) {
        String name = bare(host);
        return name.equals("localhost")
                || name.endsWith(".localhost")
                || name.equals("::1")
                || name.equals("0:0:0:0:0:0:0:1")
                || LOOPBACK_V4.matcher(name).matches();
    }

    /** The server's URL; an IPv6 address in it is in brackets (RFC 3986, section 3.2.2). */
    public static String url(String host, int port) {
        String name = host.contains(":") && !host.startsWith("[") ? "[" + host + "]" : host;
        return "http://" + name + ":" + port;
    }

    /** The server's URL for processes of this machine. */
    public static String ownUrl(String host, int port) {
        return url(isEverywhere(host) ? "127.0.0.1" : host, port);
    }

    static boolean isEverywhere(String host) {
        String name = bare(host);
        return name.equals("0.0.0.0") || name.equals("::") || name.equals("0:0:0:0:0:0:0:0");
    }

    /** Why the server must not start on this host: no loopback address, and no token; empty if it may. */
    public static Optional<String> refusal(String host, Optional<String> token) {
        if (isLoopback(host) || token.filter(text -> !text.isBlank()).isPresent()) {
            return Optional.empty();
        }
        return Optional.of(
                "--host %s lets other machines in, which needs a token: set KNABLA_TOKEN to a long random text, such as the output of 'openssl rand -hex 32', or leave --host away"
                        .formatted(host));
    }

    /** Normalizes to lower case, without brackets and without the final dot of a fully qualified name. */
    static String bare(String host) {
        String name = host.toLowerCase(Locale.ROOT);
        if (name.startsWith("[") && name.endsWith("]")) {
            name = name.substring(1, name.length() - 1);
        }
        return name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
    }

    /** The host of {@code host[:port]}; empty for text of another form. */
    static Optional<String> hostOf(String authority) {
        int end = authority.startsWith("[") ? authority.indexOf(']') + 1 : authority.indexOf(':');
        String host = end < 0 ? authority : authority.substring(0, end);
        String rest = end < 0 ? "" : authority.substring(end);
        return host.isEmpty() || !PORT.matcher(rest).matches() ? Optional.empty() : Optional.of(host);
    }
}
