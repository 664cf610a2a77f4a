package io.knabla.functions.chat;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests that templates that were damaged at random are rendered or refused, and nothing else. */
class MutatedTemplatesTest {
    private static final String[] PIECES = {
        "{%",
        "%}",
        "{{",
        "}}",
        "{#",
        "#}",
        "-",
        "'",
        "\"",
        "\\",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        ":",
        ",",
        "|",
        ".",
        "~",
        " if ",
        " else ",
        " for ",
        " in ",
        " is ",
        " not ",
        " endif ",
        " endfor ",
        " set ",
        "=",
        "*",
        "9999999999",
        "loop",
        "messages",
        "\n",
        "\ud83d",
        "😀",
        "\0",
        "namespace(",
        "|trim",
        "[::-1]",
        "{% raw %}",
        "{% endset %}",
        "**"
    };

    @Test
    @Timeout(120)
    void damagedTemplatesAreRenderedOrRefused() {
        var random = new Random(7);
        List<Map<String, Object>> fixtures = new ArrayList<>();
        Fixtures.asList(Fixtures.read("templates.json.gz")).forEach(one -> fixtures.add(Fixtures.asMap(one)));
        int valid = 0;
        for (int i = 0; i < 10_000; i++) {
            Map<String, Object> fixture = fixtures.get(random.nextInt(fixtures.size()));
            List<Object> runs = Fixtures.asList(fixture.get("runs"));
            Map<String, Object> run = Fixtures.asMap(runs.get(random.nextInt(runs.size())));
            String damaged = damage((String) fixture.get("template"), random);
            valid += Fixtures.render(damaged, Fixtures.asMap(run.get("variables"))) == null ? 0 : 1;
        }
        assertThat(valid).isBetween(500, 9_500);
    }

    private static String damage(String template, Random random) {
        var text = new StringBuilder(template);
        for (int edits = 1 + random.nextInt(3); edits > 0; edits--) {
            int at = random.nextInt(text.length());
            switch (random.nextInt(4)) {
                case 0 -> text.deleteCharAt(at);
                case 1 -> text.insert(at, PIECES[random.nextInt(PIECES.length)]);
                case 2 -> text.delete(at, Math.min(text.length(), at + random.nextInt(20)));
                default -> text.insert(at, text.substring(at, Math.min(text.length(), at + random.nextInt(40))));
            }
            if (text.isEmpty()) {
                text.append('x');
            }
        }
        return text.toString();
    }
}
