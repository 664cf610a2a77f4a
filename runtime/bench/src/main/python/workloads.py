"""The models of bench autodiff in PyTorch, as people write them; each computes its own loss."""

import math

import torch
from torch import nn
from torch.nn import functional as F

VOCABULARY, WIDTH, HEADS = 5000, 256, 4


class Classifier(nn.Module):
    def __init__(self, body):
        super().__init__()
        self.body = body

    def forward(self, x, target):
        return F.cross_entropy(self.body(x), target)


def mlp():
    return Classifier(nn.Sequential(nn.Linear(784, 1024), nn.ReLU(), nn.Linear(1024, 1024), nn.ReLU(), nn.Linear(1024, 10)))


def cnn():
    return Classifier(nn.Sequential(nn.Conv2d(3, 32, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(32, 64, 3, padding=1),
                                    nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(64 * 7 * 7, 10)))


class Basic(nn.Module):
    def __init__(self, a, b, stride):
        super().__init__()
        self.conv1, self.bn1 = nn.Conv2d(a, b, 3, stride, 1, bias=False), nn.BatchNorm2d(b)
        self.conv2, self.bn2 = nn.Conv2d(b, b, 3, 1, 1, bias=False), nn.BatchNorm2d(b)
        self.down = None if stride == 1 and a == b else nn.Sequential(nn.Conv2d(a, b, 1, stride, bias=False), nn.BatchNorm2d(b))

    def forward(self, x):
        y = self.bn2(self.conv2(torch.relu(self.bn1(self.conv1(x)))))
        return torch.relu(y + (x if self.down is None else self.down(x)))


class Mean(nn.Module):
    def forward(self, x):
        return x.mean((2, 3))


def resnet():
    """ResNet-18; BatchNorm with its running statistics."""
    layers = [nn.Conv2d(3, 64, 7, 2, 3, bias=False), nn.BatchNorm2d(64), nn.ReLU(), nn.MaxPool2d(3, 2, 1)]
    last = 64
    for i, w in enumerate((64, 128, 256, 512)):
        layers += [Basic(last, w, 1 if i == 0 else 2), Basic(w, w, 1)]
        last = w
    return Classifier(nn.Sequential(*layers, Mean(), nn.Linear(512, 10))).eval()


class Attention(nn.Module):
    def __init__(self, causal, groups=HEADS, rotate=False, bias=True):
        super().__init__()
        self.causal, self.groups, self.rotate, self.size = causal, groups, rotate, WIDTH // HEADS
        self.q = nn.Linear(WIDTH, WIDTH, bias=bias)
        self.k = nn.Linear(WIDTH, groups * self.size, bias=bias)
        self.v = nn.Linear(WIDTH, groups * self.size, bias=bias)
        self.out = nn.Linear(WIDTH, WIDTH, bias=bias)

    def heads(self, x, count):
        return x.view(x.shape[0], x.shape[1], count, self.size).transpose(1, 2)

    def forward(self, x, table=None):
        q, k, v = self.heads(self.q(x), HEADS), self.heads(self.k(x), self.groups), self.heads(self.v(x), self.groups)
        if self.rotate:
            q, k = rotated(q, *table), rotated(k, *table)
        if self.groups < HEADS:
            k, v = (t.repeat_interleave(HEADS // self.groups, 1) for t in (k, v))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=self.causal)
        return self.out(y.transpose(1, 2).reshape(x.shape))


def rotated(x, cos, sin):
    half = x.shape[-1] // 2
    return x * cos + torch.cat([-x[..., half:], x[..., :half]], -1) * sin


class Gpt2Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm1, self.norm2, self.attention = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH), Attention(True)
        self.up, self.down = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)

    def forward(self, x):
        x = x + self.attention(self.norm1(x))
        return x + self.down(F.gelu(self.up(self.norm2(x)), approximate="tanh"))


class Gpt2(nn.Module):
    def __init__(self, layers=4, length=128):
        super().__init__()
        self.tokens, self.positions = nn.Embedding(VOCABULARY, WIDTH), nn.Embedding(length, WIDTH)
        self.layers = nn.ModuleList(Gpt2Block() for _ in range(layers))
        self.norm = nn.LayerNorm(WIDTH)

    def forward(self, x, target):
        h = self.tokens(x) + self.positions.weight
        for layer in self.layers:
            h = layer(h)
        logits = self.norm(h) @ self.tokens.weight.T
        return F.cross_entropy(logits.flatten(0, 1), target.flatten())


class LlamaBlock(nn.Module):
    def __init__(self, hidden=688):
        super().__init__()
        self.norm1, self.norm2 = nn.RMSNorm(WIDTH, eps=1e-5), nn.RMSNorm(WIDTH, eps=1e-5)
        self.attention = Attention(True, groups=2, rotate=True, bias=False)
        self.gate, self.up = nn.Linear(WIDTH, hidden, bias=False), nn.Linear(WIDTH, hidden, bias=False)
        self.down = nn.Linear(hidden, WIDTH, bias=False)

    def forward(self, x, table):
        x = x + self.attention(self.norm1(x), table)
        y = self.norm2(x)
        return x + self.down(F.silu(self.gate(y)) * self.up(y))


class Llama(nn.Module):
    def __init__(self, layers=4, length=128):
        super().__init__()
        self.tokens = nn.Embedding(VOCABULARY, WIDTH)
        self.layers = nn.ModuleList(LlamaBlock() for _ in range(layers))
        self.norm, self.head = nn.RMSNorm(WIDTH, eps=1e-5), nn.Linear(WIDTH, VOCABULARY, bias=False)
        cos, sin = rotary(length)
        self.register_buffer("cos", cos)
        self.register_buffer("sin", sin)

    def forward(self, x, target):
        h = self.tokens(x)
        for layer in self.layers:
            h = layer(h, (self.cos, self.sin))
        return F.cross_entropy(self.head(self.norm(h)).flatten(0, 1), target.flatten())


def rotary(length):
    size = WIDTH // HEADS
    speed = 10000.0 ** (-torch.arange(0, size, 2) / size)
    angle = torch.outer(torch.arange(length).float(), speed).repeat(1, 2)
    return angle.cos(), angle.sin()


class BertBlock(nn.Module):
    def __init__(self):
        super().__init__()
        self.attention, self.norm1, self.norm2 = Attention(False), nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.up, self.down = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)

    def forward(self, x):
        x = self.norm1(x + self.attention(x))
        return self.norm2(x + self.down(F.gelu(self.up(x))))


class Bert(nn.Module):
    def __init__(self, layers=4, length=128):
        super().__init__()
        self.tokens, self.positions = nn.Embedding(VOCABULARY, WIDTH), nn.Embedding(length, WIDTH)
        self.norm = nn.LayerNorm(WIDTH)
        self.layers = nn.ModuleList(BertBlock() for _ in range(layers))
        self.transform, self.last = nn.Linear(WIDTH, WIDTH), nn.LayerNorm(WIDTH)
        self.bias = nn.Parameter(torch.zeros(VOCABULARY))

    def forward(self, x, target):
        h = self.norm(self.tokens(x) + self.positions.weight)
        for layer in self.layers:
            h = layer(h)
        logits = self.last(F.gelu(self.transform(h))) @ self.tokens.weight.T + self.bias
        return F.cross_entropy(logits.flatten(0, 1), target.flatten())


def text(batch, length):
    return {"x": ("below", VOCABULARY, (batch, length)), "target": ("below", VOCABULARY, (batch, length))}


def images(batch, *shape):
    return {"x": ("uniform", 1.0, (batch, *shape)), "target": ("below", 10, (batch,))}


# Name: how it is built, what its inputs are.
WORKLOADS = {
    "mlp": (mlp, images(256, 784)),
    "gpt2": (Gpt2, text(4, 128)),
    "llama": (Llama, text(4, 128)),
    "bert": (Bert, text(4, 128)),
    "cnn": (cnn, images(64, 3, 28, 28)),
    "resnet": (resnet, images(8, 3, 64, 64)),
    "gpt12": (lambda: Gpt2(12, 256), text(4, 256)),
}


def spread(name, tensor):
    """Between which bounds the numbers of a parameter lie: about as after a while of training."""
    if "running_var" in name:
        return 0.5, 1.5
    if "tokens" in name or "positions" in name:
        return -0.05, 0.05
    if tensor.ndim >= 2:
        bound = math.sqrt(3.0 / tensor[0].numel())
        return -bound, bound
    one = ("norm" in name or "bn" in name or "last" in name or "body.1." in name or "down.1." in name) and name.endswith("weight")
    return (0.9, 1.1) if one else (-0.05, 0.05)
