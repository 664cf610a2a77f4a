package io.knabla.functions.chat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.knabla.functions.chat.syntax.TemplateFault;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests what templates are refused, and by which words. */
class ChatTemplateTest {
    private static Rendered render(String source) {
        return switch (ChatTemplate.parse(source)) {
            case Parsed.Valid(ChatTemplate template) ->
                template.render(List.of(Map.of("role", "user", "content", "Hi")), Map.of("bos_token", "<s>"));
            case Parsed.Invalid(List<TemplateFault> faults) -> throw new AssertionError(faults);
        };
    }

    private static List<String> faults(String source) {
        return switch (ChatTemplate.parse(source)) {
            case Parsed.Valid _ -> List.of();
            case Parsed.Invalid(List<TemplateFault> faults) ->
                faults.stream().map(TemplateFault::toString).toList();
        };
    }

    @Test
    void allUnknownNamesAreReportedAtOnceWithTheirPlaces() {
        assertThat(faults("""
                        {{ messages|wordwrap(3) }}
                        {% if x is callable %}{{ x.format(1) }}{% endif %}
                        {% include 'a' %}{{ joiner() }}
                        {{ y|wordwrap }}
                        """))
                .satisfiesExactly(
                        fault -> assertThat(fault)
                                .startsWith(
                                        "line 1, column 13: filter 'wordwrap' is not supported; supported are abs, ")
                                .contains("tojson, trim, upper"),
                        fault -> assertThat(fault).startsWith("line 2, column 12: test 'callable' is not supported"),
                        fault -> assertThat(fault).startsWith("line 2, column 28: method 'format' is not supported"),
                        fault -> assertThat(fault)
                                .isEqualTo(
                                        "line 3, column 1: tag 'include' is not supported; supported are break, continue, for, generation, if, macro, raw, set"),
                        fault -> assertThat(fault).startsWith("line 3, column 21: function 'joiner' is not supported"));
    }

    @Test
    void malformedTagsAreReportedAtOnce() {
        assertThat(faults("{{ 1 + }}\n{% for in x %}{% endfor %}\n{% set x %}\n{{ f(a=1, 2) }}{{ x[1 }}"))
                .containsExactly(
                        "line 1, column 8: found the end of the tag, expected an expression",
                        "line 2, column 11: found 'x', expected 'in'",
                        "line 3, column 1: tag 'set' is not closed; close it by endset",
                        "line 4, column 11: an argument without a name follows one with a name",
                        "line 4, column 16: this expression has no end; close it by }}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{% if x %}",
                "{% endif %}",
                "{% for i in x %}{% endif %}",
                "{{ 'abc }}",
                "{# x",
                "{% raw %} x",
                "{% break %}",
                "{{ a b }}",
                "{{ a.strip(1, 2) }}",
                "{{ x|join(sep='') }}",
                "{{ raise_exception() }}",
                "{% set x.y.z = 1 %}",
                "{{ 99999999999999999999 }}",
                "{{ '\\xZZ' }}",
                "{{ ! }}",
                "{% %}",
                "{{ }}",
                "{{ x is }}",
                "{{ x()() }}",
                "{{ (x)(1) }}",
                "{% for a in b recursive %}{% endfor %}",
                "{{ f(*x) }}"
            })
    void malformedTemplatesAreRefused(String source) {
        assertThat(faults(source)).isNotEmpty();
    }

    @Test
    void theTemplatesOwnRefusalIsTold() {
        assertThat(render("{{ raise_exception('no ' ~ messages[0].role) }}"))
                .isEqualTo(new Rendered.Refused("no user"));
    }

    @Test
    void whatIsUndefinedIsNamedWithItsPlace() {
        assertThat(render("a\n  {{ messages[0].name.first }}"))
                .isEqualTo(
                        new Rendered.Refused(
                                "the chat template cannot be rendered, line 2, column 3: 'name' is undefined, so it has no 'first'"));
    }

    @ParameterizedTest
    @Timeout(300)
    @ValueSource(
            strings = {
                "{{ 'a' * 1000000000 }}",
                "{{ 'a' * 9223372036854775807 }}",
                "{{ [1] * 1000000000 }}",
                "{{ [0, 0] * 9223372036854775807 }}",
                "{% for i in range(1000000000) %}x{% endfor %}",
                "{% for a in range(9999) %}{% for b in range(9999) %}{% for c in range(9999) %}{% endfor %}{% endfor %}{% endfor %}",
                "{% set ns = namespace(x='aaaaaaaa') %}{% for a in range(99999) %}{% set ns.x = ns.x ~ ns.x %}{% endfor %}",
                "{% set ns = namespace(x=[1]) %}{% for a in range(99999) %}{% set ns.x = ns.x + ns.x %}{% endfor %}",
                "{% set ns = namespace(x=[1]) %}{% for a in range(60) %}{% set ns.x = [ns.x, ns.x] %}{% endfor %}{{ ns.x }}",
                "{% set ns = namespace(x=[1]) %}{% for a in range(60) %}{% set ns.x = [ns.x, ns.x] %}{% endfor %}{{ ns.x|tojson }}",
                "{% set ns = namespace(x=[1], y=[1]) %}{% for a in range(60) %}{% set ns.x = [ns.x, ns.x] %}{% set ns.y = [ns.y, ns.y] %}{% endfor %}{{ ns.x == ns.y }}",
                "{% set ns = namespace(x=[1]) %}{% for a in range(99999) %}{% set ns.x = [ns.x] %}{% endfor %}{{ ns.x }}",
                "{% set ns = namespace(x=[1]) %}{% for a in range(9999) %}{% set ns.x = {'a': ns.x} %}{% endfor %}{{ ns.x == ns.x|list }}{{ ns.x|tojson }}",
                "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}",
                "{% macro m(x) %}{{ m(x) ~ m(x) }}{% endmacro %}{{ m(1) }}",
                "{% set a = 'x' * 10000000 %}{% for i in range(99999) %}{{ a.upper() }}{% endfor %}",
                "{% set a = 'x' * 1000000 %}{{ a.replace('x', a) }}",
                "{% set a = 'x' * 1000000 %}{{ a.replace('', a) }}",
                "{% set a = 'x' * 1000000 %}{% for i in range(99999) %}{% if a ~ '' == a %}{% endif %}{% endfor %}",
                "{% set a = 'x' * 1000000 %}{% for i in range(99999) %}{% if 'y' in a %}{% endif %}{% endfor %}",
                "{% set a = 'x y' * 5000000 %}{{ a.split()|length }}{{ a.split('x')|length }}{{ a|list|length }}",
                "{{ 'a'|indent(1000000000, true) }}",
                "{{ [1, [2]]|tojson(indent=1000000000) }}",
                "{{ 9223372036854775807 + 1 }}",
                "{{ 10 ** 1000000000 }}",
                "{{ 1 / 0 }}",
                "{{ ('9' * 10000)|int + none }}"
            })
    void hostileTemplatesAreRefusedSoonAndInLittleMemory(String source) {
        assertThat(render(source)).isInstanceOf(Rendered.Refused.class);
    }

    @Test
    void deepNestingIsAFaultAndNoOverflowOfTheStack() {
        assertThat(faults("{{ " + "(".repeat(100_000) + "1" + ")".repeat(100_000) + " }}"))
                .hasSize(1);
        assertThat(faults("{{ " + "not ".repeat(100_000) + "1 }}")).hasSize(1);
        assertThat(faults("{{ " + "-".repeat(1) + "- ".repeat(100_000) + "1 }}"))
                .hasSize(1);
        assertThat(faults("{{ x" + "[0]".repeat(100_000) + " }}")).hasSize(1);
        assertThat(faults("{{ x" + "|trim".repeat(100_000) + " }}")).hasSize(1);
        assertThat(faults("{{ 1" + " + 1".repeat(100_000) + " }}")).hasSize(1);
        assertThat(faults("{% if x %}".repeat(50_000) + "{% endif %}".repeat(50_000)))
                .hasSize(1);
        assertThat(faults("x".repeat(2_000_000))).hasSize(1);
    }

    @Test
    @Timeout(300)
    void aLongConversationIsRendered() {
        String source = "{% for m in messages %}{{ '<' + m.role + '>' + m.content|trim + '\n' }}{% endfor %}";
        var template = ((Parsed.Valid) ChatTemplate.parse(source)).template();
        var message = Map.of("role", "user", "content", "word ".repeat(200));
        assertThat(template.render(Collections.nCopies(2000, message), Map.of()))
                .isInstanceOfSatisfying(
                        Rendered.Text.class, text -> assertThat(text.text()).hasSize(2000 * 1006));
    }

    @Test
    void variablesOfUnknownTypesAreRefused() {
        var template = ((Parsed.Valid) ChatTemplate.parse("x")).template();
        assertThatThrownBy(() -> template.render(List.of(), Map.of("x", new Object())))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("must be a string");
    }
}
