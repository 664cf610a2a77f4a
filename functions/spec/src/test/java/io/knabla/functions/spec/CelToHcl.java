package io.knabla.functions.spec;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Translates the CEL of our CRD to an expression of Terraform: every construct that the rules use, and no other.
 *
 * <p>Terraform evaluates both sides of {@code &&} and {@code ||} but only one branch of a condition, hence conditions.
 * A value that is null counts as absent. Durations become milliseconds, quantities numbers.
 *
 * @throws IllegalArgumentException (from {@link #translated}) at a construct that it does not know
 */
final class CelToHcl {
    private static final Pattern TOKEN = Pattern.compile(
            "\\s*(?:(r?'(?:[^'\\\\]|\\\\.)*')|([A-Za-z_][A-Za-z0-9_]*)|([0-9]+)|(==|!=|<=|>=|&&|\\|\\||[-!<>?:.,()\\[\\]]))");

    private static final List<Set<String>> BINARY =
            List.of(Set.of("||"), Set.of("&&"), Set.of("==", "!=", "<", "<=", ">", ">=", "in"));

    private final List<String> tokens = new ArrayList<>();
    private final Set<String> roots = new LinkedHashSet<>();
    private final String self;
    private int at;

    private CelToHcl(String cel, String self) {
        this.self = self;
        Matcher matcher = TOKEN.matcher(cel.strip());
        int end = 0;
        while (matcher.lookingAt()) {
            tokens.add(matcher.group().strip());
            end = matcher.end();
            matcher.region(end, cel.strip().length());
        }
        require(end == cel.strip().length(), "at character " + end);
    }

    /**
     * @param hcl the expression
     * @param roots the variables that it refers to
     */
    record Expression(String hcl, Set<String> roots) {}

    /** @param self what {@code self} is in Terraform, such as {@code var} or {@code var.gradient.loss} */
    static Expression translated(String cel, String self) {
        var parser = new CelToHcl(cel, self);
        String hcl = parser.condition();
        parser.require(parser.at == parser.tokens.size(), "at " + parser.peek());
        return new Expression(hcl, parser.roots);
    }

    private String condition() {
        int begin = at;
        String condition = binary(0);
        if (!peek().equals("?")) {
            return condition;
        }
        boolean onlyPresence = tokens.subList(begin, at).stream().noneMatch(Set.of("==", "!=", "||")::contains)
                && tokens.get(begin).equals("has");
        expect("?");
        String yes = condition();
        expect(":");
        String no = condition();
        // The branches of a condition must be of one type, which lists of different lengths are not.
        return onlyPresence && no.startsWith("[")
                ? "[for v in [try(%s, null), %s] : v if v != null][0]".formatted(yes, no)
                : "(%s ? %s : %s)".formatted(condition, yes, no);
    }

    private String binary(int level) {
        if (level == BINARY.size()) {
            return unary();
        }
        String left = binary(level + 1);
        while (BINARY.get(level).contains(peek())) {
            String operator = next();
            String right = binary(level + 1);
            left = switch (operator) {
                case "&&" -> "(%s ? %s : false)".formatted(left, right);
                case "||" -> "(%s ? true : %s)".formatted(left, right);
                case "in" -> "contains(%s, %s)".formatted(right, left);
                default -> "%s %s %s".formatted(left, operator, right);
            };
        }
        return left;
    }

    private String unary() {
        if (peek().equals("!")) {
            expect("!");
            return "!" + unary();
        }
        String value = primary();
        while (peek().equals(".")) {
            expect(".");
            String name = next();
            value = peek().equals("(") ? method(value, name) : select(value, name);
        }
        return value;
    }

    private String select(String value, String name) {
        String key = name.replaceAll("^__(.*)__$", "$1");
        if (value.equals("var")) {
            roots.add(key);
        }
        return value + "." + key;
    }

    private String primary() {
        String token = next();
        if (token.equals("(")) {
            String inside = condition();
            expect(")");
            return inside.startsWith("[") ? inside : "(" + inside + ")";
        }
        if (token.equals("[")) {
            return "[" + String.join(", ", list("]")) + "]";
        }
        if (token.startsWith("'") || token.startsWith("r'")) {
            return quoted(text(token));
        }
        if (peek().equals("(")) {
            return function(token);
        }
        if (token.equals("self")) {
            rootOf(self);
            return self;
        }
        return token;
    }

    private void rootOf(String path) {
        if (path.startsWith("var.")) {
            roots.add(path.split("\\.")[1]);
        }
    }

    private String function(String name) {
        expect("(");
        String value = list(")").getFirst();
        return switch (name) {
            case "has" -> "(try(%s, null) != null)".formatted(value);
            case "string" -> "tostring(%s)".formatted(value);
            case "duration" ->
                scaled(
                        value,
                        ms -> String.valueOf(Durations.parse(ms).orElseThrow().toMillis()),
                        "sum([for d in regexall(\"([0-9]+)(ms|h|m|s)\", %1$s) : d[0] * { h = 3600000, m = 60000, s = 1000, ms = 1 }[d[1]]])");
            case "quantity" ->
                scaled(
                        value,
                        CelToHcl::amount,
                        "regex(\"^[0-9.]+\", %1$s) * { \"\" = 1, m = 0.001, k = 1000, M = 1000000, G = 1000000000, T = 1000000000000,"
                                + " Ki = 1024, Mi = 1048576, Gi = 1073741824, Ti = 1099511627776 }[regex(\"[A-Za-z]*$\", %1$s)]");
            default -> throw new IllegalArgumentException("unknown function " + name);
        };
    }

    /** A literal becomes a number now, any other value when Terraform evaluates it. */
    private static String scaled(String value, UnaryOperator<String> literal, String expression) {
        return value.startsWith("\"")
                ? literal.apply(value.substring(1, value.length() - 1))
                : "(" + expression.formatted(value) + ")";
    }

    private static String amount(String quantity) {
        Map<String, String> units = Map.of("Ki", "1024", "Mi", "1048576", "Ti", "1099511627776", "m", "0.001");
        String unit = quantity.replaceAll("[0-9]", "");
        String number = quantity.substring(0, quantity.length() - unit.length());
        return unit.isEmpty() ? number : "(%s * %s)".formatted(number, units.get(unit));
    }

    private String method(String value, String name) {
        expect("(");
        if (Set.of("all", "map", "exists_one").contains(name)) {
            String item = next();
            expect(",");
            String body = condition();
            expect(")");
            return switch (name) {
                case "all" -> "alltrue([for %s in %s : %s])".formatted(item, value, body);
                case "map" -> "[for %s in %s : %s]".formatted(item, value, body);
                // Where terraform fmt wants no space: before a parenthesis.
                default ->
                    "(length([for %s in %s : %s if%s]) == 1)"
                            .formatted(item, value, item, body.startsWith("(") ? body : " " + body);
            };
        }
        List<String> arguments = list(")");
        return switch (name) {
            case "size" -> "length(%s)".formatted(value);
            case "sum" -> "sum(%s)".formatted(value);
            case "max" -> "max(%s...)".formatted(value);
            case "matches" -> "can(regex(%s, %s))".formatted(arguments.getFirst(), value);
            case "startsWith" -> "startswith(%s, %s)".formatted(value, arguments.getFirst());
            case "compareTo" -> "%s - %s".formatted(value, arguments.getFirst());
            case "format" ->
                "format(%s, %s)".formatted(value, arguments.getFirst().replaceAll("^\\[|]$", ""));
            default -> throw new IllegalArgumentException("unknown method " + name);
        };
    }

    private List<String> list(String end) {
        List<String> items = new ArrayList<>();
        while (!peek().equals(end)) {
            items.add(condition());
            if (!peek().equals(end)) {
                expect(",");
            }
        }
        expect(end);
        return items;
    }

    private static String text(String token) {
        return token.startsWith("r")
                ? token.substring(2, token.length() - 1)
                : token.substring(1, token.length() - 1).replace("\\'", "'").replace("\\\\", "\\");
    }

    /** A string of HCL, without templates in it. */
    static String quoted(String text) {
        return "\""
                + text.replace("\\", "\\\\")
                        .replace("\"", "\\\"")
                        .replace("${", "$${")
                        .replace("%{", "%%{") + "\"";
    }

    static String quoted(Iterable<String> texts) {
        List<String> all = new ArrayList<>();
        texts.forEach(text -> all.add(quoted(text)));
        return all.stream().collect(Collectors.joining(", ", "[", "]"));
    }

    private String peek() {
        return at < tokens.size() ? tokens.get(at) : "";
    }

    private String next() {
        require(at < tokens.size(), "at its end");
        return tokens.get(at++);
    }

    private void expect(String token) {
        require(peek().equals(token), "at '%s', where '%s' is expected".formatted(peek(), token));
        at++;
    }

    private void require(boolean holds, String where) {
        if (!holds) {
            throw new IllegalArgumentException("cannot translate this CEL %s: %s".formatted(where, tokens));
        }
    }
}
