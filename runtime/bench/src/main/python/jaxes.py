"""The workloads in JAX: pure functions of a dictionary of parameters, under the names that PyTorch gives them."""

import jax
import jax.numpy as jnp

HEADS = 4


def cross_entropy(logits, target):
    logits = logits.reshape(-1, logits.shape[-1])
    picked = jnp.take_along_axis(logits, target.reshape(-1, 1), 1)[:, 0]
    return (jax.nn.logsumexp(logits, -1) - picked).mean()


def linear(p, name, x):
    y = x @ p[f"{name}.weight"].T
    return y + p[f"{name}.bias"] if f"{name}.bias" in p else y


def mlp(p, x, target):
    for i in (0, 2):
        x = jax.nn.relu(linear(p, f"body.{i}", x))
    return cross_entropy(linear(p, "body.4", x), target)


def conv(p, name, x, stride=1, pad=0):
    y = jax.lax.conv_general_dilated(x, p[f"{name}.weight"], (stride, stride), [(pad, pad)] * 2)
    return y + p[f"{name}.bias"][:, None, None] if f"{name}.bias" in p else y


def pool(x, size, stride, pad):
    return jax.lax.reduce_window(x, -jnp.inf, jax.lax.max, (1, 1, size, size), (1, 1, stride, stride), [(0, 0), (0, 0), (pad, pad), (pad, pad)])


def cnn(p, x, target):
    for i in (0, 3):
        x = pool(jax.nn.relu(conv(p, f"body.{i}", x, pad=1)), 2, 2, 0)
    return cross_entropy(linear(p, "body.7", x.reshape(x.shape[0], -1)), target)


def batch_norm(p, name, x):
    scale = p[f"{name}.weight"] * jax.lax.rsqrt(p[f"{name}.running_var"] + 1e-5)
    return x * scale[:, None, None] + (p[f"{name}.bias"] - p[f"{name}.running_mean"] * scale)[:, None, None]


def block(p, name, x, stride, down):
    y = jax.nn.relu(batch_norm(p, f"{name}.bn1", conv(p, f"{name}.conv1", x, stride, 1)))
    y = batch_norm(p, f"{name}.bn2", conv(p, f"{name}.conv2", y, 1, 1))
    if down:
        x = batch_norm(p, f"{name}.down.1", conv(p, f"{name}.down.0", x, stride))
    return jax.nn.relu(y + x)


def resnet(p, x, target):
    x = pool(jax.nn.relu(batch_norm(p, "body.1", conv(p, "body.0", x, 2, 3))), 3, 2, 1)
    for i in range(8):
        first = i % 2 == 0 and i > 0
        x = block(p, f"body.{4 + i}", x, 2 if first else 1, first)
    return cross_entropy(linear(p, "body.13", x.mean((2, 3))), target)


def layer_norm(p, name, x):
    mean = x.mean(-1, keepdims=True)
    centred = x - mean
    y = centred * jax.lax.rsqrt((centred * centred).mean(-1, keepdims=True) + 1e-5)
    return y * p[f"{name}.weight"] + p[f"{name}.bias"]


def rms_norm(p, name, x):
    return x * jax.lax.rsqrt((x * x).mean(-1, keepdims=True) + 1e-5) * p[f"{name}.weight"]


def rotated(x, cos, sin):
    half = x.shape[-1] // 2
    return x * cos + jnp.concatenate([-x[..., half:], x[..., :half]], -1) * sin


def attention(p, name, x, causal, table=None):
    b, n, d = x.shape
    size = d // HEADS

    def heads(part):
        y = linear(p, f"{name}.{part}", x)
        return y.reshape(b, n, y.shape[-1] // size, size).transpose(0, 2, 1, 3)

    q, k, v = heads("q"), heads("k"), heads("v")
    if table:
        q, k = rotated(q, *table), rotated(k, *table)
    if k.shape[1] < HEADS:
        k, v = jnp.repeat(k, HEADS // k.shape[1], 1), jnp.repeat(v, HEADS // v.shape[1], 1)
    scores = q @ k.swapaxes(-1, -2) * size**-0.5
    if causal:
        scores = jnp.where(jnp.tril(jnp.ones((n, n), bool)), scores, -jnp.inf)
    y = jax.nn.softmax(scores, -1) @ v
    return linear(p, f"{name}.out", y.transpose(0, 2, 1, 3).reshape(b, n, d))


def gpt2(layers):
    def loss(p, x, target):
        h = p["tokens.weight"][x] + p["positions.weight"]
        for i in range(layers):
            at = f"layers.{i}"
            h = h + attention(p, f"{at}.attention", layer_norm(p, f"{at}.norm1", h), True)
            h = h + linear(p, f"{at}.down", jax.nn.gelu(linear(p, f"{at}.up", layer_norm(p, f"{at}.norm2", h)), approximate=True))
        return cross_entropy(layer_norm(p, "norm", h) @ p["tokens.weight"].T, target)
    return loss


def llama(p, x, target):
    h = p["tokens.weight"][x]
    for i in range(4):
        at = f"layers.{i}"
        h = h + attention(p, f"{at}.attention", rms_norm(p, f"{at}.norm1", h), True, (p["cos"], p["sin"]))
        y = rms_norm(p, f"{at}.norm2", h)
        h = h + linear(p, f"{at}.down", jax.nn.silu(linear(p, f"{at}.gate", y)) * linear(p, f"{at}.up", y))
    return cross_entropy(linear(p, "head", rms_norm(p, "norm", h)), target)


def bert(p, x, target):
    h = layer_norm(p, "norm", p["tokens.weight"][x] + p["positions.weight"])
    for i in range(4):
        at = f"layers.{i}"
        h = layer_norm(p, f"{at}.norm1", h + attention(p, f"{at}.attention", h, False))
        h = layer_norm(p, f"{at}.norm2", h + linear(p, f"{at}.down", jax.nn.gelu(linear(p, f"{at}.up", h), approximate=False)))
    h = layer_norm(p, "last", jax.nn.gelu(linear(p, "transform", h), approximate=False))
    return cross_entropy(h @ p["tokens.weight"].T + p["bias"], target)


LOSSES = {"mlp": mlp, "cnn": cnn, "resnet": resnet, "gpt2": gpt2(4), "llama": llama, "bert": bert, "gpt12": gpt2(12)}
