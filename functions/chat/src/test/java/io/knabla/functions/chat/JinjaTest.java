package io.knabla.functions.chat;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Holds renderings against those of Jinja2. */
class JinjaTest {
    @Test
    void templatesInTheMannerOfKnownModelsAreRenderedAsByJinja() {
        int texts = 0;
        for (Object one : Fixtures.asList(Fixtures.read("templates.json.gz"))) {
            Map<String, Object> fixture = Fixtures.asMap(one);
            String source = (String) fixture.get("template");
            assertThat(ChatTemplate.parse(source)).as("%s", fixture.get("name")).isInstanceOf(Parsed.Valid.class);
            for (Object run : Fixtures.asList(fixture.get("runs"))) {
                Map<String, Object> variables =
                        Fixtures.asMap(Fixtures.asMap(run).get("variables"));
                Object text = Fixtures.asMap(run).get("text");
                assertThat(Fixtures.render(source, variables))
                        .as("%s with %s", fixture.get("name"), variables)
                        .isEqualTo(text);
                texts += text == null ? 0 : 1;
            }
        }
        assertThat(texts).isGreaterThan(150);
    }

    @Test
    void randomTemplatesAreRenderedAsByJinja() {
        Map<String, Object> all = Fixtures.asMap(Fixtures.read("random.json.gz"));
        Map<String, Object> variables = Fixtures.asMap(all.get("variables"));
        List<String> different = new ArrayList<>();
        for (Object one : Fixtures.asList(all.get("cases"))) {
            String source = (String) Fixtures.asList(one).getFirst();
            Object wanted = Fixtures.asList(one).getLast();
            Object found = Fixtures.render(source, variables);
            if (wanted == null ? found != null : !wanted.equals(found)) {
                different.add("%s%n  Jinja: %s%n  found: %s".formatted(source, wanted, found));
            }
        }
        assertThat(different).isEmpty();
    }
}
