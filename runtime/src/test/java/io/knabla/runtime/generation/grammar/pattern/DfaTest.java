package io.knabla.runtime.generation.grammar.pattern;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Automata of patterns accept what Java's regular expressions find. */
class DfaTest {
    private static final String CHARACTERS = "aabbc01.-_ \n\tZé日";

    private static boolean accepts(List<Dfa.State> states, String text) {
        int at = 0;
        for (int one : text.codePoints().toArray()) {
            CharSet character = CharSet.of(one, one);
            int from = at;
            at = states.get(from).next().entrySet().stream()
                    .filter(next -> !next.getValue().and(character).isEmpty())
                    .mapToInt(next -> next.getKey())
                    .findFirst()
                    .orElse(-1);
            if (at < 0) {
                return false;
            }
        }
        return states.get(at).accepts();
    }

    private static String text(Random random) {
        var text = new StringBuilder();
        for (int length = random.nextInt(7); length > 0; length--) {
            text.append(CHARACTERS.charAt(random.nextInt(CHARACTERS.length())));
        }
        return text.toString();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a", "^a", "^a*$", "^(ab|a)(c|bcd)?$", "^a{2,3}b{0}$", "[^a]b", "^[a-c_.-]+$", "\\d+", "^\\w*\\W$",
                        "^.$",
                "^a|b$|c", "(?:a|b){2,}", "^(a?b)*?$", "a.b", "^\\x61\\u0062", "[\\d\\-]{2}", "^$", "", "é", "^(|a)b"
            })
    void acceptsWhatJavaFinds(String expression) {
        List<Dfa.State> states = Dfa.of(PatternParser.parse(expression), 0, -1, new WorkBudget());
        List<Dfa.State> bounded = Dfa.of(PatternParser.parse(expression), 2, 4, new WorkBudget());
        // Java's $ also stands before a line's last end.
        Pattern java = Pattern.compile(expression.replace("$", "\\z"));
        var random = new Random(expression.hashCode());
        for (int i = 0; i < 2000; i++) {
            String text = text(random);
            boolean found = java.matcher(text).find();
            assertThat(accepts(states, text)).as("'%s'", text).isEqualTo(found);
            assertThat(accepts(bounded, text))
                    .as("'%s'", text)
                    .isEqualTo(found && text.length() >= 2 && text.length() <= 4);
        }
    }
}
