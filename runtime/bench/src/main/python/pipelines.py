"""Models whose export takes more than one call: quantised, optimised, halved or scripted ones, PyTorch's newer exporter,
decoders with a cache, detectors, pipelines of columns."""

import numpy as np

from zoo import NAMES, RANDOM, SMALL, X, Y2, Y3, YR, case, estimator, write


# scikit-learn and boosting

@case("sklearn-columns-with-gaps")
def gaps(folder):
    """Numbers with gaps, whole numbers and words, each its own input; classes are words."""
    import pandas
    import skl2onnx
    from sklearn.compose import ColumnTransformer
    from sklearn.impute import SimpleImputer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import KBinsDiscretizer, OneHotEncoder, OrdinalEncoder
    size = X[:, 0].copy()
    size[::7] = np.nan
    frame = pandas.DataFrame({"size": size, "doors": Y3, "colour": NAMES[Y3], "city": NAMES[::-1][Y3]})
    steps = ColumnTransformer([
        ("n", make_pipeline(SimpleImputer(), KBinsDiscretizer(4, encode="ordinal", quantile_method="averaged_inverted_cdf")), ["size"]),
        ("d", "passthrough", ["doors"]),
        ("c", OneHotEncoder(handle_unknown="ignore", sparse_output=False), ["colour"]),
        ("o", OrdinalEncoder(), ["city"])])
    model = make_pipeline(steps, estimator("ensemble.GradientBoostingClassifier", n_estimators=4)).fit(frame, NAMES[Y2])
    feeds = {"size": size[:8, None], "doors": Y3[:8, None], "colour": NAMES[Y3][:8, None].astype(object),
             "city": NAMES[::-1][Y3][:8, None].astype(object)}
    feeds["colour"][3] = "unknown"
    return write(skl2onnx.to_onnx(model, frame[:1]), folder), feeds


def sklearn_option_case(name, make, y, **options):
    @case("sklearn-" + name)
    def run(folder):
        import skl2onnx
        model = make().fit(X, y)
        return write(skl2onnx.to_onnx(model, X[:1], options={id(model): options}), folder), {"X": X[:5]}


sklearn_option_case("zipmap-columns", lambda: estimator("linear_model.LogisticRegression"), NAMES[Y3], zipmap="columns")
sklearn_option_case("no-zipmap", lambda: estimator("ensemble.RandomForestClassifier", n_estimators=3), Y3, zipmap=False)
sklearn_option_case("decision-path", lambda: estimator("tree.DecisionTreeClassifier", max_depth=3), Y3,
                    decision_path=True, zipmap=False)


@case("sklearn-stacking")
def stacking(folder):
    import skl2onnx
    parts = [("a", estimator("linear_model.LogisticRegression")), ("b", estimator("tree.DecisionTreeClassifier"))]
    model = estimator("ensemble.StackingClassifier", estimators=parts).fit(X, Y3)
    return write(skl2onnx.to_onnx(model, X[:1]), folder), {"X": X[:5]}


@case("sklearn-many-labels")
def labels(folder):
    """One classifier for each of two targets: its probabilities are a sequence."""
    import skl2onnx
    model = estimator("multioutput.MultiOutputClassifier", estimator=estimator("linear_model.LogisticRegression"))
    model.fit(X, np.stack([Y2, Y3], axis=1))
    return write(skl2onnx.to_onnx(model, X[:1], options={"zipmap": False}), folder), {"X": X[:5]}


def tool_case(name, make, convert):
    @case(name)
    def run(folder):
        import onnxmltools
        from onnxmltools.convert.common.data_types import FloatTensorType
        onnx = getattr(onnxmltools, convert)(make(), initial_types=[("X", FloatTensorType([None, 4]))])
        return write(onnx, folder), {"X": X[:5]}


def ranker():
    import lightgbm
    return lightgbm.LGBMRanker(n_estimators=4, verbose=-1).fit(X, Y3, group=[20, 40])


def gaps_in_trees():
    import lightgbm
    x = X.copy()
    x[::5, 1] = np.nan
    return lightgbm.LGBMClassifier(n_estimators=4, verbose=-1).fit(x, NAMES[Y3])


def random_forest():
    import xgboost
    return xgboost.XGBRFClassifier(n_estimators=4).fit(X, Y3)


def booster():
    import xgboost
    return xgboost.train({"objective": "binary:logistic"}, xgboost.DMatrix(X, Y2), num_boost_round=4)


tool_case("lightgbm-ranker", ranker, "convert_lightgbm")
tool_case("lightgbm-string-labels", gaps_in_trees, "convert_lightgbm")
tool_case("xgboost-random-forest", random_forest, "convert_xgboost")
tool_case("xgboost-booster", booster, "convert_xgboost")


# PyTorch: scripts, the newer exporter, both halves of floating point

def scripted(folder, function, args, names, **more):
    import torch
    file = folder / "model.onnx"
    torch.onnx.export(torch.jit.script(function), args, str(file), input_names=names, dynamo=False, **more)
    return file, {name: arg.numpy() for name, arg in zip(names, args)}


@case("torch-script-loop")
def script(folder):
    """A loop whose end depends on the data, and a branch in it."""
    import torch

    def collatz(x, limit):
        # type: (torch.Tensor, int) -> torch.Tensor
        steps = torch.zeros_like(x)
        for i in range(limit):
            if bool((x > 1).any()):
                steps = steps + (x > 1).to(x.dtype)
                x = torch.where(x % 2 == 0, x // 2, torch.where(x > 1, 3 * x + 1, x))
        return steps
    return scripted(folder, collatz, (torch.tensor([1, 7, 27]), torch.tensor(120)), ["x", "limit"])


def dynamo(module, args, folder, names, dynamic, **more):
    import torch
    file = folder / "model.onnx"
    with torch.no_grad():
        torch.onnx.export(module.eval(), args, str(file), input_names=names, dynamo=True, dynamic_shapes=dynamic,
                          verbose=False, **more)
    return file, {name: arg.numpy() for name, arg in zip(names, args)}


def normal(*shape):
    import torch
    return torch.from_numpy(RANDOM.normal(size=shape).astype(np.float32))


@case("dynamo-transformer-encoder")
def dynamo_encoder(folder):
    import torch
    torch.manual_seed(1)
    torch.backends.mha.set_fastpath_enabled(False)
    layer = torch.nn.TransformerEncoderLayer(16, 4, 32, batch_first=True)
    return dynamo(layer, (normal(2, 5, 16),), folder, ["x"], ({0: torch.export.Dim("batch"), 1: torch.export.Dim("time")},))


@case("dynamo-external-data")
def dynamo_convolutions(folder):
    import torch
    import torchvision
    torch.manual_seed(1)
    model = torchvision.models.mobilenet_v3_small(weights=None)
    return dynamo(model, (normal(2, 3, 64, 64),), folder, ["pixels"], ({0: torch.export.Dim("batch")},), external_data=True)


@case("dynamo-branch")
def dynamo_branch(folder):
    import torch

    class Branch(torch.nn.Module):
        def forward(self, x):
            return torch.cond(x.sum() > 0, lambda a: a.sin(), lambda a: a.cos() * 2, (x,))
    return dynamo(Branch(), (normal(3, 4),), folder, ["x"], None)


@case("torch-float16")
def half(folder):
    """All of it in half precision, inputs as well."""
    import torch
    torch.manual_seed(1)
    model = torch.nn.Sequential(torch.nn.Linear(8, 16), torch.nn.GELU(), torch.nn.LayerNorm(16), torch.nn.Linear(16, 3)).half()
    return dynamo(model, (normal(2, 8).half(),), folder, ["x"], ({0: torch.export.Dim("batch")},))


def small_network(folder):
    import torch
    torch.manual_seed(1)
    nn = torch.nn
    net = nn.Sequential(nn.Conv2d(1, 4, 3), nn.BatchNorm2d(4), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(36, 5))
    file = folder / "float.onnx"
    pixels = normal(2, 1, 8, 8)
    torch.onnx.export(net.eval(), (pixels,), str(file), input_names=["pixels"], dynamic_axes={"pixels": {0: "batch"}},
                      dynamo=False)
    return file, {"pixels": pixels.numpy()}


@case("onnxruntime-qdq")
def qdq(folder):
    from onnxruntime import quantization
    source, feeds = small_network(folder)

    class Reader(quantization.CalibrationDataReader):
        rows = iter([feeds])

        def get_next(self):
            return next(self.rows, None)
    quantization.quantize_static(str(source), str(folder / "model.onnx"), Reader(), per_channel=True,
                                 quant_format=quantization.QuantFormat.QDQ)
    return folder / "model.onnx", feeds


@case("onnxruntime-dynamic-quantization")
def dynamic(folder):
    from onnxruntime import quantization
    source, feeds = small_network(folder)
    quantization.quantize_dynamic(str(source), str(folder / "model.onnx"))
    return folder / "model.onnx", feeds


@case("onnxruntime-optimised")
def optimised(folder):
    """As ONNX Runtime saves a session: operators of its own, layouts of this machine."""
    import onnxruntime
    source, feeds = small_network(folder)
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_EXTENDED
    options.optimized_model_filepath = str(folder / "model.onnx")
    onnxruntime.InferenceSession(str(source), options, providers=["CPUExecutionProvider"])
    return folder / "model.onnx", feeds


@case("onnxconverter-float16")
def converted(folder):
    """Half precision inside, single outside."""
    import onnx
    from onnxconverter_common import float16
    source, feeds = small_network(folder)
    return write(float16.convert_float_to_float16(onnx.load(str(source)), keep_io_types=True), folder), feeds


# transformers: both halves of T5, a cache, speech, vision

def wrapped(forward):
    import torch

    class Wrapped(torch.nn.Module):
        def __init__(self, model):
            super().__init__()
            self.model = model

        def forward(self, *args):
            return forward(self.model, *args)
    return Wrapped


def written(module, feeds, folder, names, outputs, axes):
    import torch
    torch.backends.mha.set_fastpath_enabled(False)
    file = folder / "model.onnx"
    with torch.no_grad():
        torch.onnx.export(module.eval(), feeds, str(file), input_names=names, output_names=outputs, dynamic_axes=axes,
                          dynamo=False)
    return file, {name: feed.numpy() for name, feed in zip(names, feeds)}


def seeded(config, model, **options):
    import torch
    import transformers
    torch.manual_seed(1)
    return getattr(transformers, model)(getattr(transformers, config)(attn_implementation="eager", **options))


def tokens(rows, columns):
    import torch
    return torch.from_numpy(RANDOM.integers(3, 97, size=(rows, columns)))


T5 = {"vocab_size": 97, "d_model": 32, "d_kv": 8, "d_ff": 48, "num_layers": 2, "num_heads": 4, "use_cache": False,
      "decoder_start_token_id": 0}
AXES = {"input_ids": {0: "batch", 1: "encoder_sequence"}, "attention_mask": {0: "batch", 1: "encoder_sequence"},
        "decoder_input_ids": {0: "batch", 1: "decoder_sequence"}, "encoder_hidden_states": {0: "batch", 1: "encoder_sequence"},
        "logits": {0: "batch", 1: "decoder_sequence"}}


@case("transformers-t5")
def t5(folder):
    model = seeded("T5Config", "T5ForConditionalGeneration", **T5)
    whole = wrapped(lambda m, ids, mask, decoder: m(
        input_ids=ids, attention_mask=mask, decoder_input_ids=decoder, use_cache=False, return_dict=False)[0])(model)
    ids = tokens(2, 9)
    return written(whole, (ids, ids.ge(0).long(), tokens(2, 4)), folder,
                   ["input_ids", "attention_mask", "decoder_input_ids"], ["logits"], AXES)


@case("transformers-t5-decoder")
def t5_decoder(folder):
    model = seeded("T5Config", "T5ForConditionalGeneration", **T5)
    decoder = wrapped(lambda m, ids, hidden, mask: m(
        decoder_input_ids=ids, encoder_outputs=(hidden,), attention_mask=mask, use_cache=False, return_dict=False)[0])(model)
    mask = tokens(2, 9).ge(0).long()
    return written(decoder, (tokens(2, 4), normal(2, 9, 32), mask), folder,
                   ["decoder_input_ids", "encoder_hidden_states", "attention_mask"], ["logits"], AXES)


@case("transformers-gpt2-with-cache")
def cache(folder):
    """A decoder that takes and gives its keys and values; the first call's are empty."""
    import torch
    from transformers import DynamicCache
    model = seeded("GPT2Config", "GPT2LMHeadModel", vocab_size=97, n_embd=32, n_layer=2, n_head=4, n_positions=64)

    def step(m, ids, mask, *past):
        found = m(input_ids=ids, attention_mask=mask, use_cache=True,
                  past_key_values=DynamicCache(list(zip(past[::2], past[1::2]))))
        return (found.logits, *(one for layer in found.past_key_values.layers for one in (layer.keys, layer.values)))
    past = ["past_key_values.%d.%s" % (layer, part) for layer in range(2) for part in ("key", "value")]
    present = [name.replace("past_key_values", "present") for name in past]
    axes = {"input_ids": {0: "batch", 1: "sequence"}, "attention_mask": {0: "batch", 1: "total"},
            **{name: {0: "batch", 2: "past"} for name in past}, **{name: {0: "batch", 2: "total"} for name in present}}
    ids = tokens(1, 3)
    args = (ids, torch.ones(1, 5, dtype=torch.int64), *(normal(1, 4, 2, 8) for _ in past))
    file, feeds = written(wrapped(step)(model), args, folder, ["input_ids", "attention_mask", *past],
                          ["logits", *present], axes)
    feeds.update({name: np.zeros((1, 4, 0, 8), np.float32) for name in past}, attention_mask=np.ones((1, 3), np.int64))
    return file, feeds


def encoder_case(name, family, head, args, part=lambda model: model, **options):
    @case("transformers-" + name)
    def run(folder):
        model = wrapped(lambda m, *a: m(*a, return_dict=False)[0])(part(seeded(family + "Config", family + head, **options)))
        feeds = args()
        names = ["input_%d" % i for i in range(len(feeds))]
        return written(model, feeds, folder, names, ["out"], {name: {0: "batch"} for name in names})


PICTURES = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 48, "image_size": 32}
encoder_case("vit", "ViT", "ForImageClassification", lambda: (normal(2, 3, 32, 32),), **PICTURES, patch_size=8)
encoder_case("swin", "Swin", "Model", lambda: (normal(1, 3, 32, 32),), image_size=32, patch_size=4, embed_dim=16,
             depths=[1, 1], num_heads=[2, 2], window_size=4)
encoder_case("segformer", "Segformer", "ForSemanticSegmentation", lambda: (normal(1, 3, 64, 64),),
             hidden_sizes=[8, 16, 32, 32], decoder_hidden_size=16, depths=[1, 1, 1, 1])
encoder_case("deberta", "DebertaV2", "Model", lambda: (tokens(2, 9),), **SMALL, relative_attention=True,
             pos_att_type=["p2c", "c2p"], type_vocab_size=0)
encoder_case("wav2vec2", "Wav2Vec2", "ForCTC", lambda: (normal(1, 4000),), vocab_size=32, hidden_size=32,
             num_hidden_layers=2, num_attention_heads=4, intermediate_size=48, conv_dim=(16,) * 7,
             num_conv_pos_embeddings=16, num_conv_pos_embedding_groups=4)
encoder_case("whisper-encoder", "Whisper", "Model", lambda: (normal(1, 8, 3000),), lambda model: model.encoder,
             num_mel_bins=8, d_model=32, encoder_layers=1, decoder_layers=1, encoder_attention_heads=4, vocab_size=97,
             encoder_ffn_dim=48, decoder_attention_heads=4, pad_token_id=0, bos_token_id=1, eos_token_id=2,
             decoder_start_token_id=1)


# Detectors

@case("yolo-head-with-nms")
def yolo(folder):
    """A head as YOLO's: three scales, boxes decoded, overlapping ones left out, so many rows as are found."""
    import torch
    import torchvision

    class Head(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.scales = torch.nn.ModuleList(torch.nn.Conv2d(8, 5 + 3, 1) for _ in range(3))

        def forward(self, a, b, c):
            rows = []
            for convolution, features in zip(self.scales, (a, b, c)):
                rows.append(convolution(features).flatten(2).transpose(1, 2)[0])
            found = torch.cat(rows)
            centre, size = found[:, :2] * 20 + 40, torch.nn.functional.softplus(found[:, 2:4]) * 20
            boxes = torch.cat([centre - size / 2, centre + size / 2], 1)
            scores, kinds = (found[:, 4:5].sigmoid() * found[:, 5:].softmax(1)).max(1)
            kept = torchvision.ops.batched_nms(boxes, scores, kinds, 0.4)[:20]
            return boxes[kept], scores[kept], kinds[kept]
    torch.manual_seed(1)
    features = tuple(normal(1, 8, size, size) for size in (8, 4, 2))
    return written(Head(), features, folder, ["p3", "p4", "p5"], ["boxes", "scores", "classes"], None)


@case("torchvision-ssdlite")
def ssdlite(folder):
    import torch
    import torchvision
    torch.manual_seed(1)
    model = torchvision.models.detection.ssdlite320_mobilenet_v3_large(weights=None, weights_backbone=None, num_classes=5)
    pixels = torch.from_numpy(RANDOM.random((1, 3, 320, 320), np.float32))
    return written(model, (pixels,), folder, ["pixels"], ["boxes", "scores", "labels"], None)


# TensorFlow and JAX

@case("tensorflow-two-inputs")
def functional(folder):
    """Inputs and outputs by name, a text among them, a bidirectional layer."""
    import tensorflow
    import tf2onnx
    k = tensorflow.keras
    series, ids = k.Input((6, 3), name="series"), k.Input((2,), dtype="int32", name="ids")
    h = k.layers.Bidirectional(k.layers.GRU(4))(series)
    joined = k.layers.Concatenate()([h, k.layers.Flatten()(k.layers.Embedding(9, 3)(ids))])
    model = k.Model({"series": series, "ids": ids}, {"score": k.layers.Dense(1, "sigmoid")(joined), "hidden": h})
    signature = {"series": tensorflow.TensorSpec((None, 6, 3), name="series"),
                 "ids": tensorflow.TensorSpec((None, 2), tensorflow.int32, name="ids")}
    call = tensorflow.function(lambda given: model(given), input_signature=[signature])
    onnx, _ = tf2onnx.convert.from_function(call, call.input_signature)
    feeds = {"series": RANDOM.normal(size=(2, 6, 3)).astype(np.float32), "ids": np.array([[1, 2], [0, 8]], np.int32)}
    return write(onnx, folder), feeds


@case("tensorflow-mobilenet")
def applications(folder):
    import tensorflow
    import tf2onnx
    model = tensorflow.keras.applications.MobileNetV2((64, 64, 3), alpha=0.35, weights=None)
    spec = tensorflow.TensorSpec((None, 64, 64, 3), name="pixels")
    onnx, _ = tf2onnx.convert.from_function(tensorflow.function(model, input_signature=[spec]), [spec])
    return write(onnx, folder), {"pixels": RANDOM.normal(size=(1, 64, 64, 3)).astype(np.float32)}


@case("jax-mlp")
def jax_mlp(folder):
    import jax
    import jax2onnx
    w = RANDOM.normal(size=(4, 3)).astype(np.float32)
    onnx = jax2onnx.to_onnx(lambda x: jax.nn.softmax(jax.numpy.tanh(x @ w)), [("batch", 4)])
    return write(onnx, folder), {onnx.graph.input[0].name: X[:5]}
