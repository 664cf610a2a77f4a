"""Renders chat templates by Jinja2 as the transformers library does, for ChatTemplateTest and RandomTemplatesTest.

    python3 -m venv /tmp/py/jinja && /tmp/py/jinja/bin/pip install jinja2
    /tmp/py/jinja/bin/python functions/chat/src/test/python/templates.py functions/chat/src/test/resources

The templates are our own, in the manner of those of well-known models.
"""
import copy
import datetime
import gzip
import json
import os
import random
import sys
import warnings

import jinja2
import jinja2.ext
import jinja2.sandbox
from jinja2 import nodes

warnings.simplefilter("ignore")  # Python warns of what the random templates do

NOW = datetime.datetime(2025, 3, 7, 9, 5, 3)


class Generation(jinja2.ext.Extension):
    tags = {"generation"}

    def parse(self, parser):
        line = next(parser.stream).lineno
        body = parser.parse_statements(("name:endgeneration",), drop_needle=True)
        return nodes.CallBlock(self.call_method("_pass"), [], [], body).set_lineno(line)

    def _pass(self, caller):
        return caller()


def raise_exception(message):
    raise jinja2.exceptions.TemplateError(message)


def tojson(x, ensure_ascii=False, indent=None, separators=None, sort_keys=False):
    return json.dumps(x, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)


def environment():
    env = jinja2.sandbox.ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=[Generation, jinja2.ext.loopcontrols])
    env.filters["tojson"] = tojson
    env.globals["raise_exception"] = raise_exception
    env.globals["strftime_now"] = lambda form: NOW.strftime(form)
    return env


ENV = environment()


def render(source, variables):
    """The text; None if it is refused."""
    try:
        # A copy: Jinja's indent appends to a list.
        return ENV.from_string(source).render(**copy.deepcopy(variables))
    except Exception:
        return None


TEMPLATES = {
    "chatml": """{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>' + '\\n' }}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}""",
    "llama2": """{% if messages[0]['role'] == 'system' %}{% set loop_messages = messages[1:] %}{% set system_message = messages[0]['content'] %}{% else %}{% set loop_messages = messages %}{% set system_message = false %}{% endif %}{% for message in loop_messages %}{% if (message['role'] == 'user') != (loop.index0 % 2 == 0) %}{{ raise_exception('Roles must alternate: user, assistant, user, ...') }}{% endif %}{% if loop.index0 == 0 and system_message != false %}{% set content = '<<SYS>>\\n' + system_message + '\\n<</SYS>>\\n\\n' + message['content'] %}{% else %}{% set content = message['content'] %}{% endif %}{% if message['role'] == 'user' %}{{ bos_token + '[INST] ' + content.strip() + ' [/INST]' }}{% elif message['role'] == 'assistant' %}{{ ' ' + content.strip() + ' ' + eos_token }}{% endif %}{% endfor %}""",
    "llama3": """{{- bos_token }}
{%- if not date_string is defined %}
    {%- if strftime_now is defined %}
        {%- set date_string = strftime_now("%d %b %Y") %}
    {%- else %}
        {%- set date_string = "1 Jan 2025" %}
    {%- endif %}
{%- endif %}
{#- Takes the system message out of the list #}
{%- if messages[0]['role'] == 'system' %}
    {%- set system_message = messages[0]['content']|trim %}
    {%- set messages = messages[1:] %}
{%- else %}
    {%- set system_message = "" %}
{%- endif %}
{{- "<|start_header_id|>system<|end_header_id|>\\n\\n" }}
{%- if tools is defined and tools is not none %}
    {{- "Tools:\\n" }}
    {%- for t in tools %}
        {{- t | tojson(indent=4) }}
        {{- "\\n\\n" }}
    {%- endfor %}
{%- endif %}
{{- "Today Date: " + date_string + "\\n\\n" }}
{{- system_message }}
{{- "<|eot_id|>" }}
{%- for message in messages %}
    {%- if not (message.role == 'tool' or 'tool_calls' in message) %}
        {{- '<|start_header_id|>' + message['role'] + '<|end_header_id|>\\n\\n'+ message['content'] | trim + '<|eot_id|>' }}
    {%- elif 'tool_calls' in message %}
        {%- if not message.tool_calls|length == 1 %}
            {{- raise_exception("Only one call at a time") }}
        {%- endif %}
        {%- set tool_call = message.tool_calls[0].function %}
        {{- '{"name": "' + tool_call.name + '", "parameters": ' }}
        {{- tool_call.arguments | tojson }}
        {{- "}<|eot_id|>" }}
    {%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- '<|start_header_id|>assistant<|end_header_id|>\\n\\n' }}
{%- endif %}
""",
    "mistral": """{%- if messages[0]["role"] == "system" %}
    {%- set system_message = messages[0]["content"] %}
    {%- set loop_messages = messages[1:] %}
{%- else %}
    {%- set loop_messages = messages %}
{%- endif %}
{%- set user_messages = loop_messages | selectattr("role", "equalto", "user") | list %}
{%- set ns = namespace(index=0) %}
{%- for message in loop_messages %}
    {%- if not (message.role == "tool" or (message.tool_calls is defined and message.tool_calls is not none)) %}
        {%- if (message["role"] == "user") != (ns.index % 2 == 0) %}
            {{- raise_exception("Roles must alternate user/assistant/user/assistant/...") }}
        {%- endif %}
        {%- set ns.index = ns.index + 1 %}
    {%- endif %}
{%- endfor %}
{{- bos_token }}
{%- for message in loop_messages %}
    {%- if message["role"] == "user" %}
        {%- if loop.last and system_message is defined %}
            {{- "[INST] " + system_message + "\\n\\n" + message["content"] + "[/INST]" }}
        {%- else %}
            {{- "[INST] " + message["content"] + "[/INST]" }}
        {%- endif %}
        {%- if message == user_messages[-1] %}{{- "(last)" }}{%- endif %}
    {%- elif message["role"] == "assistant" %}
        {{- " " + message["content"]|trim + eos_token}}
    {%- endif %}
{%- endfor %}
""",
    "qwen25": """{%- if tools %}
    {{- '<|im_start|>system\\n' }}
    {%- if messages[0]['role'] == 'system' %}
        {{- messages[0]['content'] }}
    {%- else %}
        {{- 'You are helpful.' }}
    {%- endif %}
    {{- "\\n\\n<tools>" }}
    {%- for tool in tools %}
        {{- "\\n" }}
        {{- tool | tojson }}
    {%- endfor %}
    {{- "\\n</tools><|im_end|>\\n" }}
{%- else %}
    {%- if messages[0]['role'] == 'system' %}
        {{- '<|im_start|>system\\n' + messages[0]['content'] + '<|im_end|>\\n' }}
    {%- else %}
        {{- '<|im_start|>system\\nYou are helpful.<|im_end|>\\n' }}
    {%- endif %}
{%- endif %}
{%- for message in messages %}
    {%- if (message.role == "user") or (message.role == "system" and not loop.first) or (message.role == "assistant" and not message.tool_calls) %}
        {{- '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>' + '\\n' }}
    {%- elif message.role == "assistant" %}
        {{- '<|im_start|>' + message.role }}
        {%- if message.content %}
            {{- '\\n' + message.content }}
        {%- endif %}
        {%- for tool_call in message.tool_calls %}
            {%- if tool_call.function is defined %}
                {%- set tool_call = tool_call.function %}
            {%- endif %}
            {{- '\\n<tool_call>\\n{"name": "' }}
            {{- tool_call.name }}
            {{- '", "arguments": ' }}
            {{- tool_call.arguments | tojson }}
            {{- '}\\n</tool_call>' }}
        {%- endfor %}
        {{- '<|im_end|>\\n' }}
    {%- elif message.role == "tool" %}
        {%- if (loop.index0 == 0) or (messages[loop.index0 - 1].role != "tool") %}
            {{- '<|im_start|>user' }}
        {%- endif %}
        {{- '\\n<tool_response>\\n' }}
        {{- message.content }}
        {{- '\\n</tool_response>' }}
        {%- if loop.last or (messages[loop.index0 + 1].role != "tool") %}
            {{- '<|im_end|>\\n' }}
        {%- endif %}
    {%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- '<|im_start|>assistant\\n' }}
{%- endif %}
""",
    "qwen3": """{%- set ns = namespace(multi_step_tool=true, last_query_index=messages|length - 1) %}
{%- for message in messages[::-1] %}
    {%- set index = (messages|length - 1) - loop.index0 %}
    {%- if ns.multi_step_tool and message.role == "user" and message.content is string and not(message.content.startswith('<tool_response>') and message.content.endswith('</tool_response>')) %}
        {%- set ns.multi_step_tool = false %}
        {%- set ns.last_query_index = index %}
    {%- endif %}
{%- endfor %}
{%- for message in messages %}
    {%- if message.content is string %}
        {%- set content = message.content %}
    {%- else %}
        {%- set content = '' %}
    {%- endif %}
    {%- if message.role == "assistant" %}
        {%- set reasoning_content = '' %}
        {%- if message.reasoning_content is string %}
            {%- set reasoning_content = message.reasoning_content %}
        {%- else %}
            {%- if '</think>' in content %}
                {%- set reasoning_content = content.split('</think>')[0].rstrip('\\n').split('<think>')[-1].lstrip('\\n') %}
                {%- set content = content.split('</think>')[-1].lstrip('\\n') %}
            {%- endif %}
        {%- endif %}
        {%- if loop.index0 > ns.last_query_index %}
            {%- if loop.last or (not loop.last and reasoning_content) %}
                {{- '<|im_start|>' + message.role + '\\n<think>\\n' + reasoning_content.strip('\\n') + '\\n</think>\\n\\n' + content.lstrip('\\n') }}
            {%- else %}
                {{- '<|im_start|>' + message.role + '\\n' + content }}
            {%- endif %}
        {%- else %}
            {{- '<|im_start|>' + message.role + '\\n' + content }}
        {%- endif %}
        {{- '<|im_end|>\\n' }}
    {%- else %}
        {{- '<|im_start|>' + message.role + '\\n' + content + '<|im_end|>' + '\\n' }}
    {%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- '<|im_start|>assistant\\n' }}
    {%- if enable_thinking is defined and enable_thinking is false %}
        {{- '<think>\\n\\n</think>\\n\\n' }}
    {%- endif %}
{%- endif %}""",
    "phi3": """{% for message in messages %}{% if message['role'] == 'system' and message['content'] %}{{'<|system|>
' + message['content'] + '<|end|>
'}}{% elif message['role'] == 'user' %}{{'<|user|>
' + message['content'] + '<|end|>
'}}{% elif message['role'] == 'assistant' %}{{'<|assistant|>
' + message['content'] + '<|end|>
'}}{% endif %}{% endfor %}{% if add_generation_prompt %}{{ '<|assistant|>
' }}{% else %}{{ eos_token }}{% endif %}""",
    "gemma2": """{{ bos_token }}{% if messages[0]['role'] == 'system' %}{{ raise_exception('System role not supported') }}{% endif %}{% for message in messages %}{% if (message['role'] == 'user') != (loop.index0 % 2 == 0) %}{{ raise_exception('Conversation roles must alternate user/assistant/user/assistant/...') }}{% endif %}{% if (message['role'] == 'assistant') %}{% set role = 'model' %}{% else %}{% set role = message['role'] %}{% endif %}{{ '<start_of_turn>' + role + '\\n' + message['content'] | trim + '<end_of_turn>\\n' }}{% endfor %}{% if add_generation_prompt %}{{'<start_of_turn>model\\n'}}{% endif %}""",
    "gemma3": """{{ bos_token }}
{%- if messages[0]['role'] == 'system' -%}
    {%- if messages[0]['content'] is string -%}
        {%- set first_user_prefix = messages[0]['content'] + '\\n\\n' -%}
    {%- else -%}
        {%- set first_user_prefix = messages[0]['content'][0]['text'] + '\\n\\n' -%}
    {%- endif -%}
    {%- set loop_messages = messages[1:] -%}
{%- else -%}
    {%- set first_user_prefix = "" -%}
    {%- set loop_messages = messages -%}
{%- endif -%}
{%- for message in loop_messages -%}
    {%- if (message['role'] == 'user') != (loop.index0 % 2 == 0) -%}
        {{ raise_exception("Conversation roles must alternate") }}
    {%- endif -%}
    {%- if (message['role'] == 'assistant') -%}
        {%- set role = "model" -%}
    {%- else -%}
        {%- set role = message['role'] -%}
    {%- endif -%}
    {{ '<start_of_turn>' + role + '\\n' + (first_user_prefix if loop.first else "") }}
    {%- if message['content'] is string -%}
        {{ message['content'] | trim }}
    {%- elif message['content'] is iterable -%}
        {%- for item in message['content'] -%}
            {%- if item['type'] == 'image' -%}
                {{ '<start_of_image>' }}
            {%- elif item['type'] == 'text' -%}
                {{ item['text'] | trim }}
            {%- endif -%}
        {%- endfor -%}
    {%- else -%}
        {{ raise_exception("Invalid content type") }}
    {%- endif -%}
    {{ '<end_of_turn>\\n' }}
{%- endfor -%}
{%- if add_generation_prompt -%}
    {{'<start_of_turn>model\\n'}}
{%- endif -%}
""",
    "smollm2": """{% for message in messages %}{% if loop.first and messages[0]['role'] != 'system' %}{{ '<|im_start|>system\\nYou are a small model<|im_end|>\\n' }}{% endif %}{{'<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>' + '\\n'}}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}""",
    "zephyr": """{% for message in messages %}
{% if message['role'] == 'user' %}
{{ '<|user|>\\n' + message['content'] + eos_token }}
{% elif message['role'] == 'system' %}
{{ '<|system|>\\n' + message['content'] + eos_token }}
{% elif message['role'] == 'assistant' %}
{{ '<|assistant|>\\n'  + message['content'] + eos_token }}
{% endif %}
{% if loop.last and add_generation_prompt %}
{{ '<|assistant|>' }}
{% endif %}
{% endfor %}""",
    "olmo2": """{{ bos_token }}{% for message in messages %}{% if message['role'] == 'system' %}{{ '<|system|>\\n' + message['content'] + '\\n' }}{% elif message['role'] == 'user' %}{{ '<|user|>\\n' + message['content'] + '\\n' }}{% elif message['role'] == 'assistant' %}{% if not loop.last %}{{ '<|assistant|>\\n'  + message['content'] + eos_token + '\\n' }}{% else %}{{ '<|assistant|>\\n'  + message['content'] + eos_token }}{% endif %}{% endif %}{% if loop.last and add_generation_prompt %}{{ '<|assistant|>\\n' }}{% endif %}{% endfor %}""",
    "deepseek": """{% if not add_generation_prompt is defined %}{% set add_generation_prompt = false %}{% endif %}{% set ns = namespace(is_first=false, is_tool=false, is_output_first=true, system_prompt='') %}{%- for message in messages %}{%- if message['role'] == 'system' %}{% set ns.system_prompt = message['content'] %}{%- endif %}{%- endfor %}{{bos_token}}{{ns.system_prompt}}{%- for message in messages %}{%- if message['role'] == 'user' %}{%- set ns.is_tool = false -%}{{'<|User|>' + message['content']}}{%- endif %}{%- if message['role'] == 'assistant' and message['content'] is not none %}{%- if ns.is_tool %}{{'<|outputs end|>' + message['content'] + '<|end of sentence|>'}}{%- set ns.is_tool = false -%}{%- else %}{% set content = message['content'] %}{% if '</think>' in content %}{% set content = content.split('</think>')[-1] %}{% endif %}{{'<|Assistant|>' + content + '<|end of sentence|>'}}{%- endif %}{%- endif %}{%- endfor -%}{% if add_generation_prompt and not ns.is_tool %}{{'<|Assistant|><think>\\n'}}{% endif %}""",
    "smollm3": """{%- macro turn(role, content, end='<|im_end|>\\n') %}<|im_start|>{{ role }}
{{ content }}{{ end }}{%- endmacro %}
{%- set date = strftime_now("%-d %B %Y, %A %H:%M") %}
{{ turn('system', 'Today: ' ~ date) }}
{%- for m in messages if m.role != 'system' %}
{%- if m.role == 'assistant' %}{% generation %}{{ turn(m.role, m.content) }}{% endgeneration %}
{%- else %}{{ turn(m.role, m.content, end=' #' ~ loop.index ~ '/' ~ loop.length ~ '\\n') }}{% endif %}
{%- else %}{{ '(empty)' }}
{%- endfor %}
{%- set tail %}
  last: {{ messages | map(attribute='role') | join(', ') | upper }}
{% endset %}
{{ tail | trim }}
{% if add_generation_prompt %}<|im_start|>assistant
{% endif %}""",
    "params": """{%- macro kind(p) -%}
{%- if p.type == 'object' -%}{ {%- for key, val in p.properties.items() -%}{{ key }}: {{ kind(val) }}{% if not loop.last %}, {% endif %}{%- endfor -%} }
{%- elif p.type == 'array' -%}{{ kind(p['items']) }}[]
{%- elif p.enum is defined -%}{{ p.enum | map('tojson') | join(' | ') }}
{%- else -%}{{ p.type | default('any') }}{%- endif -%}
{%- endmacro -%}
{%- for tool in tools or [] -%}
function {{ tool.function.name }}({{ kind(tool.function.parameters) }}) {# comment #}
// {{ tool.function.description | replace('\\n', ' ') | capitalize }}
{{ tool.function.parameters.properties | items | list | length }} {{ tool | tojson(indent=2) | indent(4) }}
{% endfor -%}
{%- for message in messages %}
  {%- if message.content is none or message.content|length == 0 %}{% continue %}{% endif %}
  {%- if loop.index > 4 %}...{% break %}{% endif %}
{{ loop.previtem.role if not loop.first else '^' }}>{{ message.role.title() }}: {{ message.content[:20] | tojson }}
{% endfor %}""",
}

TOOLS = [{"type": "function", "function": {"name": "weather", "description": "the weather\nof a 'city' \u00e9", "parameters": {
    "type": "object", "properties": {
        "city": {"type": "string", "description": "d"},
        "unit": {"type": "string", "enum": ["c", "f"]},
        "days": {"type": "array", "items": {"type": "integer"}},
        "near": {"type": "object", "properties": {"x": {"type": "number"}}}}, "required": ["city"]}}}]

CONVERSATIONS = [
    {"messages": [{"role": "user", "content": "Hello"}]},
    {"messages": [{"role": "system", "content": " Be brief.\n"}, {"role": "user", "content": "Hi\n\nthere "}]},
    {"messages": [{"role": "system", "content": "S"}, {"role": "user", "content": "\u00fcber \u4f60\u597d \U0001f600\U0001f468\u200d\U0001f469"},
                  {"role": "assistant", "content": "<think>\nhm\n</think>\n\n\u00a0ok\u3000"}, {"role": "user", "content": "'quo\"te' \\ {{ x }} {% if %}"}]},
    {"messages": [{"role": "user", "content": ""}, {"role": "assistant", "content": ""}, {"role": "user", "content": "\t\r\n"}]},
    {"messages": [{"role": "user", "content": "a"}, {"role": "user", "content": "b"}]},
    {"messages": []},
    {"messages": [{"role": "user", "content": "w?"}, {"role": "assistant", "content": None, "tool_calls": [
        {"type": "function", "function": {"name": "weather", "arguments": {"city": "K\u00f6ln", "n": 1.5, "deep": [1, None, True]}}}]},
        {"role": "tool", "name": "weather", "content": "{\"t\": 3}"}, {"role": "tool", "name": "w", "content": "4"},
        {"role": "assistant", "content": "cold"}, {"role": "user", "content": "thanks"}], "tools": TOOLS},
    {"messages": [{"role": "user", "content": [{"type": "text", "text": " one "}, {"type": "text", "text": "two"}]}]},
    {"messages": [{"role": "system", "content": "x" * 50}] + [{"role": r, "content": r[0] * i} for i in range(1, 4) for r in ("user", "assistant")]},
]


def rendering(source, conversation, more):
    variables = {"bos_token": "<s>", "eos_token": "</s>", **conversation, **more}
    return {"variables": variables, "text": render(source, variables)}


def fixtures():
    cases = []
    for name, source in TEMPLATES.items():
        ENV.from_string(source)
        runs = [rendering(source, conversation, more) for conversation in CONVERSATIONS
                for more in ({"add_generation_prompt": True}, {"add_generation_prompt": False, "enable_thinking": False})]
        cases.append({"name": name, "template": source, "runs": runs})
    return cases


class Grammar:
    """Makes random templates. They set no variable that is given: if it is set after a scope that reads it, Jinja finds nothing there."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def pick(self, *options):
        return self.random.choice(options)

    def text(self):
        return "".join(self.pick("a", "B", " ", "\n", "  \n", "\t", "é", "x y", "{", "}", "%", "#", "😀", "'") for _ in range(self.random.randrange(5)))

    def literal(self):
        return self.pick("''", "'a'", "\"b c\"", "'A\\nb'", "' x\\t'", "'é😀z'", "'\\u00e9\\x41'", "0", "1", "2", "-3", "7", "10", "1.5", "2.0", "0.1", "1e3", "true", "false", "none",
                         "[]", "[1, 2, 3]", "['a', 'b', \"it's\"]", "{}", "{'a': 1, 'b': 'x'}", "(1, 'z')", "[none, true, 1.0]", "range(4)|list", "u", "s", "n", "l", "d", "f", "x")

    def expression(self, depth):
        if depth <= 0:
            return self.literal()
        e = lambda: self.expression(depth - 1)
        kind = self.random.randrange(23)
        if kind < 3:
            return self.literal()
        if kind < 5:
            return "%s %s %s" % (e(), self.pick("+", "-", "*", "/", "//", "+", "*"), self.pick(e(), "7 % 3", "-7 % 3", "(n % 5)", "7.5 % -2"))
        if kind == 5:
            return "%s ~ %s" % (e(), e())
        if kind < 8:
            return "(%s %s %s)" % (e(), self.pick("==", "!=", "<", "<=", ">", ">=", "in", "not in"), e())
        if kind == 8:
            return "(%s %s %s)" % (e(), self.pick("and", "or"), e())
        if kind == 9:
            return "(not %s)" % e()
        if kind == 10:
            return "(%s if %s else %s)" % (e(), e(), e())
        if kind == 11:
            return "(%s is %s)" % (e(), self.pick("defined", "not defined", "none", "string", "mapping", "iterable", "number", "true", "false", "sequence", "integer", "float",
                                                 "boolean", "odd", "even", "not none", "eq(1)", "in [1, 2]", "upper", "lower", "divisibleby 2", "undefined"))
        if kind < 16:
            return "(%s)|%s" % (e(), self.pick("trim", "length", "upper", "lower", "string", "tojson", "join", "join('-')", "first", "last", "list", "default('q')", "default('q', true)",
                                              "capitalize", "replace('a', 'bb')", "int", "float", "items|list", "indent", "indent(2, true)", "list|reverse|list", "abs", "trim('a')", "count",
                                              "map('string')|join", "map('upper')|list", "select|list", "reject('none')|list", "select('string')|list", "tojson(indent=2)", "d('w')",
                                              "selectattr('a')|list", "map(attribute='a')|list", "replace('', '-', 2)", "tojson(sort_keys=true, ensure_ascii=true)"))
        if kind < 19:
            return "(%s).%s" % (e(), self.pick("strip()", "lstrip()", "rstrip('a')", "split()", "split('a')", "split(' ', 1)", "startswith('a')", "endswith(('b', 'c'))", "replace('a', 'é')", "upper()",
                                              "lower()", "title()", "capitalize()", "items()|list", "get('a')", "get('zz', 5)", "keys()|list", "values()|list", "find('b')", "count('a')", "splitlines()",
                                              "join(['x', 'y'])", "a", "b", "isdigit()", "removeprefix('a')", "rsplit('a', 1)", "rfind('a')", "split(none, 1)"))
        if kind < 21:
            # Slices of literals that have none are computed in another way, by Jinja's optimizer.
            if self.random.random() < 0.6:
                return "(%s)[%s]" % (self.pick("s", "l", "d", "n", "u", "'abc'", "[1, 2, 3]", "(1, 'z')"), self.pick("1:", ":2", "::-1", "1:3", "::2", "-2:", "3:1:-1", ":-1", "0:0", ":9"))
            return "(%s)[%s]" % (e(), self.pick("0", "-1", "'a'", "5", "1", "true"))
        if kind == 21:
            return "[%s, %s]" % (e(), e())
        return "{'k': %s}" % e()

    def tag(self, inside):
        return "{%" + self.pick("", "", "-", "+") + " " + inside + " " + self.pick("", "", "-", "+") + "%}"

    def body(self, depth):
        return "".join(self.statement(depth) for _ in range(self.random.randrange(1, 4)))

    def statement(self, depth):
        kind = self.random.randrange(9 if depth > 0 else 4)
        if kind == 0:
            return self.text()
        if kind < 3:
            return "{{" + self.pick("", "-") + " " + self.expression(self.random.randrange(1, 3)) + " " + self.pick("", "-") + "}}"
        if kind == 3:
            return self.tag("set %s = %s" % (self.pick("x", "y"), self.expression(1)))
        if kind == 4:
            more = self.pick("", self.tag("else") + self.body(depth - 1), self.tag("elif " + self.expression(1)) + self.body(depth - 1))
            return self.tag("if " + self.expression(1)) + self.body(depth - 1) + more + self.tag("endif")
        if kind < 7:
            head = self.pick("i in l", "i in range(3)", "i in 'ab😀'", "k, v in d.items()", "i in l if i", "i in []", "i in d", "i in " + self.literal())
            inner = "{{ loop." + self.pick("index", "index0", "first", "last", "length", "revindex") + " }}" + self.pick("{{ i }}", "{{ k }}{{ v }}", "{{ loop.cycle('o', 'e') }}", self.tag("set ns.c = ns.c + 1"), "")
            jump = self.pick("", "", self.tag("if loop.index == 2") + self.tag(self.pick("break", "continue")) + self.tag("endif"))
            return self.tag("for " + head) + inner + jump + self.body(depth - 1) + self.pick("", self.tag("else") + self.text()) + self.tag("endfor")
        if kind == 7:
            return self.tag("set b") + self.body(depth - 1) + self.tag("endset") + "{{ b|length }}"
        return self.pick("{#" + self.pick("", "-") + " c " + self.pick("", "-") + "#}", self.tag("raw") + "{{ r }} " + self.tag("endraw"), self.tag("set ns.c = ns.c + 1") + "{{ ns.c }}",
                         self.tag("generation") + self.body(0) + self.tag("endgeneration"),
                         self.tag("macro m(p, q='d')") + "{{ p }}{{ q }}" + self.tag("endmacro") + "{{ m(1) }}{{ m('a', q=2) }}")

    def template(self):
        return self.tag("set ns = namespace(c=0)") + "".join(self.statement(2) for _ in range(self.random.randrange(1, 6))) + self.pick("", "\n", "\n\n")


VARIABLES = {"s": " sTr é\nz ", "n": 42, "l": [{"a": 1}, {"a": "x", "b": None}, {}], "d": {"a": [1, 2], "b": "v", "c": {"k": "w"}}, "f": 2.5}


def has_lazy(text):
    return "<generator" in text or "<built-in" in text or " object at " in text or "range(" in text or "dict_" in text or "bound method" in text


def randoms(count):
    cases = []
    seed = 0
    while len(cases) < count:
        seed += 1
        source = Grammar(seed).template()
        text = render(source, VARIABLES)
        # What Jinja refuses is of less use, so most of it is left out.
        if text is None and seed % 8 or text is not None and (has_lazy(text) or len(text) > 4000):
            continue
        cases.append([source, text])
    return cases


def main(folder):
    os.makedirs(folder, exist_ok=True)
    with gzip.GzipFile(os.path.join(folder, "templates.json.gz"), "wb", mtime=0) as out:
        out.write(json.dumps(fixtures()).encode())
    with gzip.GzipFile(os.path.join(folder, "random.json.gz"), "wb", mtime=0) as out:
        out.write(json.dumps({"variables": VARIABLES, "cases": randoms(3000)}).encode())


main(sys.argv[1])
