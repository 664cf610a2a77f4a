"""value_and_grad of the workloads in PyTorch, eager and compiled; all parameters, the weights of the skeletons."""

import torch

import skeletons
import workloads


def model_of(name, skeleton):
    """The PyTorch module with a skeleton's weights, and its inputs."""
    weights, feeds = skeletons.filled(skeleton)
    model = workloads.WORKLOADS[name][0]().eval()
    with torch.no_grad():
        for key, tensor in [*model.named_parameters(), *model.named_buffers()]:
            if key in weights:
                tensor.copy_(torch.from_numpy(weights[key].copy()))
    return model, [torch.from_numpy(f) for f in feeds.values()]


class Torch:
    def __init__(self, name, skeleton, compiled):
        self.model, self.feeds = model_of(name, skeleton)
        self.parameters = list(self.model.parameters())
        self.call = torch.compile(self.model) if compiled else self.model

    def step(self):
        loss = self.call(*self.feeds)
        torch.autograd.grad(loss, self.parameters)
        return loss.item()


class Jax:
    def __init__(self, name, skeleton):
        import jax
        import jaxes
        weights, feeds = skeletons.filled(skeleton)
        model = workloads.WORKLOADS[name][0]()
        trained = {key for key, _ in model.named_parameters()}
        self.parameters = {k: jax.numpy.asarray(v) for k, v in weights.items() if k in trained}
        fixed = {k: jax.numpy.asarray(v) for k, v in weights.items() if k not in trained}
        self.feeds = [jax.numpy.asarray(f) for f in feeds.values()]
        self.call = jax.jit(jax.value_and_grad(lambda p, *xs: jaxes.LOSSES[name]({**p, **fixed}, *xs)))
        self.ready = jax.block_until_ready

    def step(self):
        loss, _ = self.ready(self.call(self.parameters, *self.feeds))
        return float(loss)
