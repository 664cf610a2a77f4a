"""Small versions of the families of networks that people train, written for these fixtures; random weights, no downloads."""

import torch
from torch import nn
from torch.nn import functional as F


class WithLoss(nn.Module):
    """A model whose file computes its own loss: inputs and target in, scalar and prediction out."""

    def __init__(self, body, loss):
        super().__init__()
        self.body, self.loss = body, loss

    def forward(self, x, target):
        y = self.body(x)
        return self.loss(y, target), y


def mlp(activation, sizes=(7, 16, 12, 4), dropout=0.0):
    layers = []
    for a, b in zip(sizes, sizes[1:]):
        layers += [nn.Linear(a, b), activation(), nn.Dropout(dropout)]
    return nn.Sequential(*layers[:-2])


class Cnn(nn.Module):
    def __init__(self):
        super().__init__()
        self.one = nn.Conv2d(3, 8, 3, padding=1)
        self.two = nn.Conv2d(8, 12, 3, stride=2, padding=1)
        self.three = nn.Conv2d(12, 8, 3, dilation=2, groups=4)
        self.head = nn.Linear(8 * 2 * 2, 5)

    def forward(self, x):
        x = F.max_pool2d(torch.relu(self.one(x)), 2)
        x = F.avg_pool2d(torch.tanh(self.two(x)), 3, stride=1, padding=1, count_include_pad=False)
        x = F.adaptive_avg_pool2d(F.elu(self.three(F.pad(x, (1, 1, 1, 1)))), 2)
        return self.head(x.flatten(1))


class Basic(nn.Module):
    def __init__(self, a, b, stride):
        super().__init__()
        self.conv1, self.bn1 = nn.Conv2d(a, b, 3, stride, 1, bias=False), nn.BatchNorm2d(b)
        self.conv2, self.bn2 = nn.Conv2d(b, b, 3, 1, 1, bias=False), nn.BatchNorm2d(b)
        self.down = None if stride == 1 and a == b else nn.Sequential(nn.Conv2d(a, b, 1, stride, bias=False), nn.BatchNorm2d(b))

    def forward(self, x):
        y = self.bn2(self.conv2(torch.relu(self.bn1(self.conv1(x)))))
        return torch.relu(y + (x if self.down is None else self.down(x)))


class Resnet(nn.Module):
    """ResNet-18's plan: stem, four stages of two blocks, global mean, one linear layer."""

    def __init__(self, widths=(6, 8, 10, 12), classes=5):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(3, widths[0], 7, 2, 3, bias=False), nn.BatchNorm2d(widths[0]), nn.ReLU(),
                                  nn.MaxPool2d(3, 2, 1))
        stages, last = [], widths[0]
        for i, w in enumerate(widths):
            stages += [Basic(last, w, 1 if i == 0 else 2), Basic(w, w, 1)]
            last = w
        self.stages = nn.Sequential(*stages)
        self.head = nn.Linear(last, classes)
        spread(self)

    def forward(self, x):
        return self.head(self.stages(self.stem(x)).mean((2, 3)))


def spread(model):
    """Gives BatchNorm statistics and scales of a trained net instead of zeros and ones."""
    for m in model.modules():
        if isinstance(m, nn.BatchNorm2d):
            m.running_mean.normal_(0, 0.3)
            m.running_var.uniform_(0.5, 1.5)
            nn.init.uniform_(m.weight, 0.5, 1.5)
            nn.init.normal_(m.bias, 0, 0.2)


class Squeeze(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.a, self.b = nn.Conv2d(c, c // 2, 1), nn.Conv2d(c // 2, c, 1)

    def forward(self, x):
        return x * F.hardsigmoid(self.b(torch.relu(self.a(F.adaptive_avg_pool2d(x, 1)))))


class Inverted(nn.Module):
    def __init__(self, a, b, stride, activation, squeeze):
        super().__init__()
        w = 2 * a
        self.body = nn.Sequential(nn.Conv2d(a, w, 1, bias=False), nn.BatchNorm2d(w), activation(),
                                  nn.Conv2d(w, w, 3, stride, 1, groups=w, bias=False), nn.BatchNorm2d(w), activation(),
                                  Squeeze(w) if squeeze else nn.Identity(), nn.Conv2d(w, b, 1, bias=False), nn.BatchNorm2d(b))
        self.skip = stride == 1 and a == b

    def forward(self, x):
        return x + self.body(x) if self.skip else self.body(x)


def mobilenet():
    m = nn.Sequential(nn.Conv2d(3, 8, 3, 2, 1, bias=False), nn.BatchNorm2d(8), nn.Hardswish(),
                      Inverted(8, 8, 1, nn.ReLU6, False), Inverted(8, 12, 2, nn.Hardswish, True),
                      Inverted(12, 12, 1, nn.SiLU, True), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(12, 5))
    spread(m)
    return m


class ConvNextBlock(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.depthwise = nn.Conv2d(c, c, 7, padding=3, groups=c)
        self.norm, self.up, self.down = nn.LayerNorm(c, eps=1e-6), nn.Linear(c, 4 * c), nn.Linear(4 * c, c)
        self.scale = nn.Parameter(torch.rand(c) + 0.5)

    def forward(self, x):
        y = self.norm(self.depthwise(x).permute(0, 2, 3, 1))
        return x + (self.scale * self.down(F.gelu(self.up(y)))).permute(0, 3, 1, 2)


class ConvNext(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem, self.norm = nn.Conv2d(3, 8, 4, 4), nn.LayerNorm(8)
        self.one, self.down, self.two = ConvNextBlock(8), nn.Conv2d(8, 12, 2, 2), ConvNextBlock(12)
        self.last, self.head = nn.LayerNorm(12), nn.Linear(12, 5)

    def forward(self, x):
        x = self.norm(self.stem(x).permute(0, 2, 3, 1)).permute(0, 3, 1, 2)
        return self.head(self.last(self.two(self.down(self.one(x))).mean((-2, -1))))


class Unet(nn.Module):
    def __init__(self, up="transpose"):
        super().__init__()
        def block(a, b):
            return nn.Sequential(nn.ReflectionPad2d(1), nn.Conv2d(a, b, 3, bias=False), nn.InstanceNorm2d(b, affine=True), nn.LeakyReLU(0.1))
        self.down1, self.down2, self.middle = block(2, 6), block(6, 8), block(8, 8)
        def rise(a, b):
            if up == "transpose":
                return nn.ConvTranspose2d(a, b, 2, 2)
            smooth = {"align_corners": False} if up == "bilinear" else {}
            return nn.Sequential(nn.Upsample(scale_factor=2, mode=up, **smooth), nn.Conv2d(a, b, 1))
        self.up2, self.join2, self.up1, self.join1 = rise(8, 8), block(16, 6), rise(6, 6), block(12, 6)
        self.out = nn.Conv2d(6, 2, 1)

    def forward(self, x):
        a = self.down1(x)
        b = self.down2(F.max_pool2d(a, 2))
        c = self.middle(F.avg_pool2d(b, 2))
        d = self.join2(torch.cat([self.up2(c), b], 1))
        return self.out(self.join1(torch.cat([self.up1(d), a], 1)))


class Recurrent(nn.Module):
    def __init__(self, kind, layers=1, both=False):
        super().__init__()
        self.cell = kind(5, 6, num_layers=layers, bidirectional=both, batch_first=True)
        self.head = nn.Linear(12 if both else 6, 3)

    def forward(self, x):
        return self.head(self.cell(x)[0])


class RecurrentState(nn.Module):
    """Starts from given states and gives the last ones back."""

    def __init__(self, kind):
        super().__init__()
        self.cell = kind(5, 6)

    def forward(self, x, *state):
        y, last = self.cell(x, state[0] if len(state) == 1 else tuple(state))
        return (y[-1], *last) if isinstance(last, tuple) else (y[-1], last)


class CellLoop(nn.Module):
    """An LSTM cell that Python unrolls."""

    def __init__(self):
        super().__init__()
        self.embed, self.cell, self.head = nn.Embedding(9, 5), nn.LSTMCell(5, 6), nn.Linear(6, 3)

    def forward(self, tokens):
        h = c = torch.zeros(tokens.shape[0], 6, dtype=self.head.weight.dtype)
        for t in range(4):
            h, c = self.cell(self.embed(tokens[:, t]), (h, c))
        return self.head(h)


class Vit(nn.Module):
    def __init__(self, dim=16, depth=2):
        super().__init__()
        self.patch = nn.Conv2d(3, dim, 4, 4)
        self.cls, self.position = nn.Parameter(torch.randn(1, 1, dim)), nn.Parameter(torch.randn(1, 17, dim))
        self.layers = nn.ModuleList(EncoderLayer(dim) for _ in range(depth))
        self.norm, self.head = nn.LayerNorm(dim), nn.Linear(dim, 5)

    def forward(self, x):
        x = self.patch(x).flatten(2).transpose(1, 2)
        x = torch.cat([self.cls.expand(x.shape[0], -1, -1), x], 1) + self.position
        for layer in self.layers:
            x = layer(x)
        return self.head(self.norm(x)[:, 0])


class EncoderLayer(nn.Module):
    def __init__(self, dim, heads=2):
        super().__init__()
        self.heads, self.qkv, self.out = heads, nn.Linear(dim, 3 * dim), nn.Linear(dim, dim)
        self.norm1, self.norm2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.up, self.down = nn.Linear(dim, 2 * dim), nn.Linear(2 * dim, dim)

    def forward(self, x):
        b, n, d = x.shape
        q, k, v = self.qkv(self.norm1(x)).reshape(b, n, 3, self.heads, d // self.heads).permute(2, 0, 3, 1, 4)
        x = x + self.out(F.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(b, n, d))
        return x + self.down(F.gelu(self.up(self.norm2(x))))


class TorchEncoder(nn.Module):
    def __init__(self):
        super().__init__()
        layer = nn.TransformerEncoderLayer(16, 2, 32, dropout=0.0, batch_first=True, activation="gelu", norm_first=True)
        self.embed, self.body = nn.Embedding(11, 16), nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)
        self.head = nn.Linear(16, 4)

    def forward(self, tokens):
        return self.head(self.body(self.embed(tokens)).mean(1))


class Hugging(nn.Module):
    """One of transformers' models, tokens in, logits (or last states) out."""

    def __init__(self, model, **fixed):
        super().__init__()
        self.model, self.fixed = model, fixed

    def forward(self, *tokens):
        names = ["input_ids", "decoder_input_ids"] if len(tokens) == 2 else ["input_ids"]
        out = self.model(**dict(zip(names, tokens)), use_cache=False, return_dict=True, **self.fixed)
        return out.logits if hasattr(out, "logits") else out.last_hidden_state


class HuggingLoss(Hugging):
    """The loss as users write it: next-token cross entropy with the padding ignored."""

    def forward(self, tokens, labels):
        logits = super().forward(tokens)
        return F.cross_entropy(logits[:, :-1].flatten(0, 1), labels[:, 1:].flatten(), ignore_index=-100), logits


class Masked(nn.Module):
    """BERT with a padding mask."""

    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, tokens, mask):
        return self.model(input_ids=tokens, attention_mask=mask).last_hidden_state


class Vae(nn.Module):
    """Variational autoencoder with the noise as an input; loss inside."""

    def __init__(self):
        super().__init__()
        self.enc, self.mean, self.log = nn.Linear(8, 12), nn.Linear(12, 3), nn.Linear(12, 3)
        self.dec, self.out = nn.Linear(3, 12), nn.Linear(12, 8)

    def forward(self, x, noise):
        h = F.softplus(self.enc(x))
        m, s = self.mean(h), self.log(h)
        y = torch.sigmoid(self.out(torch.tanh(self.dec(m + torch.exp(0.5 * s) * noise))))
        kl = -0.5 * (1 + s - m.square() - s.exp()).sum(1)
        return (F.binary_cross_entropy(y, torch.sigmoid(x), reduction="none").sum(1) + kl).mean(), y


class Factors(nn.Module):
    """Recommender: embeddings, interactions, a wide and a deep part."""

    def __init__(self):
        super().__init__()
        self.user, self.item = nn.Embedding(8, 6), nn.Embedding(10, 6)
        self.bias, self.deep = nn.EmbeddingBag(10, 1, mode="sum"), mlp(nn.ReLU, (12, 8, 1))

    def forward(self, users, items):
        u, i = self.user(users), self.item(items)
        return torch.sigmoid((u * i).sum(-1) + self.deep(torch.cat([u, i], -1)).squeeze(-1))


class GraphConv(nn.Module):
    """Message passing: gather, scatter-add, degree normalisation."""

    def __init__(self):
        super().__init__()
        self.one, self.two = nn.Linear(4, 6), nn.Linear(6, 3)

    def spread(self, x, edges):
        zero = torch.zeros(x.shape[0], x.shape[1], dtype=x.dtype)
        index = edges[1].unsqueeze(1).expand(-1, x.shape[1])
        return zero.scatter_add(0, index, x[edges[0]])

    def forward(self, x, edges):
        x = torch.tanh(self.one(x + self.spread(x, edges)))
        return self.two(self.spread(x, edges))


class Odes(nn.Module):
    """Physics: a pendulum by four Runge-Kutta steps, as models from simulation look."""

    def __init__(self):
        super().__init__()
        self.length = nn.Parameter(torch.tensor(1.3))
        self.damping = nn.Parameter(torch.tensor(0.2))

    def slope(self, s):
        angle, speed = s[..., 0], s[..., 1]
        return torch.stack([speed, -9.81 / self.length * torch.sin(angle) - self.damping * speed], -1)

    def forward(self, s):
        h = 0.05
        for _ in range(4):
            a = self.slope(s)
            b = self.slope(s + h / 2 * a)
            c = self.slope(s + h / 2 * b)
            s = s + h / 6 * (a + 2 * b + 2 * c + self.slope(s + h * c))
        return s
