"""OpenAI's client, unchanged: chat, completion, streams, mistakes, and callers that leave."""

import openai

from targets import SERVER

PLATFORM = openai.OpenAI(base_url=f"{SERVER}/v1", api_key="unused", max_retries=0)
FUNCTION = openai.OpenAI(base_url=f"{SERVER}/functions/default/writer/v1", api_key="unused", max_retries=0)
ASK = {"messages": [{"role": "user", "content": "Hello"}], "seed": 7, "max_completion_tokens": 40, "logit_bias": {"2": -100}}


def chat(client, name):
    whole = client.chat.completions.create(model=name, **ASK)
    text = whole.choices[0].message.content
    assert len(text) == 40 and whole.usage.completion_tokens == 40, whole
    pieces = client.chat.completions.create(model=name, stream=True, stream_options={"include_usage": True}, **ASK)
    streamed, usage = "", None
    for piece in pieces:
        streamed += "".join(choice.delta.content or "" for choice in piece.choices)
        usage = piece.usage or usage
    assert streamed == text and usage.completion_tokens == 40, (streamed, usage)
    return text


def completion(client, name):
    both = client.completions.create(model=name, prompt="Hello", n=2, logprobs=3, max_tokens=5, logit_bias={"2": -100})
    assert len(both.choices) == 2 and len(both.choices[0].logprobs.tokens) == 5, both


def mistakes(client, name):
    for wrong in ({"max_completion_tokens": 2**31}, {"n": 1000}, {"tools": [{"type": "function", "function": {"name": "f"}}]}):
        try:
            client.chat.completions.create(model=name, **{**ASK, **wrong})
        except openai.BadRequestError as refused:
            assert refused.param == next(iter(wrong)), refused.body
        else:
            raise AssertionError(f"{wrong} was taken")
    try:
        client.chat.completions.create(model="nobody", **ASK)
    except openai.NotFoundError as refused:
        assert refused.code == "model_not_found", refused.body
    else:
        raise AssertionError("a model that is not there answered")


def leave(client, name):
    """Were they not ended, twenty texts of 4,000 tokens would hold back the one that comes after them."""
    for _ in range(20):
        pieces = client.completions.create(model=name, prompt="Hello", max_tokens=4000, stream=True, logit_bias={"2": -100})
        next(iter(pieces))
        pieces.close()


for client, name in ((PLATFORM, "default/writer"), (FUNCTION, "writer")):
    first = chat(client, name)
    completion(client, name)
    mistakes(client, name)
    leave(client, name)
    assert chat(client, name) == first
assert "writer" in str([model.id for model in PLATFORM.models.list().data])
