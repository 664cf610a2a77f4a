"""Models as public exporters write them with their default options; random weights, small sizes.

CASES maps a name to a function that writes a model and returns (file, feeds): feeds are numpy arrays by input.
"""

import numpy as np

CASES = {}
RANDOM = np.random.default_rng(7)
X = RANDOM.normal(size=(60, 4)).astype(np.float32)
Y3 = (X[:, 0] * 2 + X[:, 1]).round().clip(-1, 1).astype(np.int64) + 1
Y2 = (X[:, 0] > 0).astype(np.int64)
YR = (X @ [1, -2, 3, 0.5]).astype(np.float32)
NAMES = np.array(["setosa", "versicolor", "virginica"])


def case(name):
    def register(make):
        CASES[name] = make
        return make
    return register


def write(model, folder):
    file = folder / "model.onnx"
    file.write_bytes(model if isinstance(model, bytes) else model.SerializeToString())
    return file


# scikit-learn, by skl2onnx

def estimator(path, **options):
    """An estimator by its path below sklearn."""
    import importlib
    module, name = path.rsplit(".", 1)
    return getattr(importlib.import_module("sklearn." + module), name)(**options)


def sklearn_case(name, make, y, x=X):
    @case("sklearn-" + name)
    def run(folder):
        import skl2onnx
        model = make().fit(np.abs(x) if name == "multinomial-nb" else x, y)
        return write(skl2onnx.to_onnx(model, x[:1], target_opset={"": 18, "ai.onnx.ml": 3}), folder), {"X": x[:5]}


CLASSIFIERS = {
    "logistic": ("linear_model.LogisticRegression", {}),
    "random-forest": ("ensemble.RandomForestClassifier", {"n_estimators": 7}),
    "extra-trees": ("ensemble.ExtraTreesClassifier", {"n_estimators": 7}),
    "gradient-boosting": ("ensemble.GradientBoostingClassifier", {"n_estimators": 5}),
    "hist-gradient-boosting": ("ensemble.HistGradientBoostingClassifier", {"max_iter": 5}),
    "adaboost": ("ensemble.AdaBoostClassifier", {"n_estimators": 5}),
    "bagging": ("ensemble.BaggingClassifier", {"n_estimators": 3}),
    "decision-tree": ("tree.DecisionTreeClassifier", {"max_depth": 4}),
    "k-neighbors": ("neighbors.KNeighborsClassifier", {}),
    "gaussian-nb": ("naive_bayes.GaussianNB", {}),
    "multinomial-nb": ("naive_bayes.MultinomialNB", {}),
    "svc": ("svm.SVC", {"probability": True}),
    "linear-svc": ("svm.LinearSVC", {}),
    "mlp": ("neural_network.MLPClassifier", {"max_iter": 20}),
    "sgd": ("linear_model.SGDClassifier", {"loss": "log_loss"}),
    "lda": ("discriminant_analysis.LinearDiscriminantAnalysis", {}),
    "qda": ("discriminant_analysis.QuadraticDiscriminantAnalysis", {}),
}
REGRESSORS = {
    "linear": ("linear_model.LinearRegression", {}),
    "ridge": ("linear_model.Ridge", {}),
    "forest-regressor": ("ensemble.RandomForestRegressor", {"n_estimators": 5}),
    "svr": ("svm.SVR", {}),
    "gaussian-process": ("gaussian_process.GaussianProcessRegressor", {}),
    "k-neighbors-regressor": ("neighbors.KNeighborsRegressor", {}),
    "pls": ("cross_decomposition.PLSRegression", {}),
}
OTHERS = {
    "k-means": ("cluster.KMeans", {"n_clusters": 3}),
    "pca": ("decomposition.PCA", {"n_components": 2}),
    "scaler": ("preprocessing.StandardScaler", {}),
    "isolation-forest": ("ensemble.IsolationForest", {"n_estimators": 5}),
}
for key, (path, options) in CLASSIFIERS.items():
    sklearn_case(key, lambda p=path, o=options: estimator(p, **o), Y3)
for key, (path, options) in {**REGRESSORS, **OTHERS}.items():
    sklearn_case(key, lambda p=path, o=options: estimator(p, **o), YR)
sklearn_case("string-labels", lambda: estimator("linear_model.LogisticRegression"), NAMES[Y3])
sklearn_case("binary-string-labels", lambda: estimator("ensemble.RandomForestClassifier", n_estimators=3), NAMES[Y2])


@case("sklearn-pipeline-of-columns")
def columns(folder):
    import pandas
    import skl2onnx
    from sklearn.compose import ColumnTransformer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder, StandardScaler
    frame = pandas.DataFrame({"size": X[:, 0], "colour": NAMES[Y3]})
    steps = ColumnTransformer([("n", StandardScaler(), ["size"]), ("c", OneHotEncoder(), ["colour"])])
    model = make_pipeline(steps, estimator("linear_model.LogisticRegression")).fit(frame, Y2)
    feeds = {"size": X[:5, :1], "colour": NAMES[Y3][:5, None].astype(object)}
    return write(skl2onnx.to_onnx(model, frame[:1]), folder), feeds


def text_case(name, vectorizer):
    @case("sklearn-" + name)
    def run(folder):
        import skl2onnx
        from skl2onnx.common.data_types import StringTensorType
        from sklearn.pipeline import make_pipeline
        texts = np.array(["The quick Brown fox", "lazy dogs SLEEP", "Ünder the Bridge", "brown dogs run"])
        model = make_pipeline(vectorizer(), estimator("linear_model.LogisticRegression")).fit(texts, [0, 1, 0, 1])
        onnx = skl2onnx.convert_sklearn(model, initial_types=[("text", StringTensorType([None, 1]))])
        return write(onnx, folder), {"text": texts[:, None].astype(object)}


text_case("tf-idf", lambda: estimator("feature_extraction.text.TfidfVectorizer"))
text_case("count-words", lambda: estimator("feature_extraction.text.CountVectorizer"))


# Gradient boosting, by onnxmltools and CatBoost's own exporter

def boosting_case(name, make, convert):
    @case(name)
    def run(folder):
        import onnxmltools
        from onnxmltools.convert.common.data_types import FloatTensorType
        model = make()
        onnx = getattr(onnxmltools, convert)(model, initial_types=[("X", FloatTensorType([None, 4]))])
        return write(onnx, folder), {"X": X[:5]}


def boosted(module, kind, y, **options):
    import importlib
    return getattr(importlib.import_module(module), kind)(n_estimators=5, **options).fit(X, y)


for target, y in {"multiclass": Y3, "binary": Y2}.items():
    boosting_case("lightgbm-" + target, lambda y=y: boosted("lightgbm", "LGBMClassifier", y, verbose=-1),
                  "convert_lightgbm")
    boosting_case("xgboost-" + target, lambda y=y: boosted("xgboost", "XGBClassifier", y), "convert_xgboost")
boosting_case("lightgbm-regressor", lambda: boosted("lightgbm", "LGBMRegressor", YR, verbose=-1), "convert_lightgbm")
boosting_case("xgboost-regressor", lambda: boosted("xgboost", "XGBRegressor", YR), "convert_xgboost")


def catboost_case(name, kind, y):
    @case("catboost-" + name)
    def run(folder):
        import catboost
        model = getattr(catboost, kind)(iterations=5, verbose=False, allow_writing_files=False).fit(X, y)
        file = folder / "model.onnx"
        model.save_model(str(file), format="onnx")
        return file, {"features": X[:5]}


catboost_case("binary", "CatBoostClassifier", Y2)
catboost_case("multiclass", "CatBoostClassifier", Y3)
catboost_case("string-labels", "CatBoostClassifier", NAMES[Y3])
catboost_case("regressor", "CatBoostRegressor", YR)


# PyTorch, by torch.onnx.export

def exported(module, args, folder, inputs, dynamic=True):
    import torch
    file = folder / "model.onnx"
    sizes = {name: {0: "batch"} for name in inputs} if dynamic else None
    torch.backends.mha.set_fastpath_enabled(False)  # its fused operators have no ONNX counterpart
    with torch.no_grad():
        torch.onnx.export(module.eval(), args, str(file), input_names=inputs, dynamic_axes=sizes, dynamo=False)
    return file, {name: arg.numpy() for name, arg in zip(inputs, args)}


class Tokens:
    """Wraps a transformer so that it takes tokens and answers its first output."""

    @staticmethod
    def of(model, **more):
        import torch

        class Wrapped(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.model = model

            def forward(self, ids, mask):
                return self.model(input_ids=ids, attention_mask=mask, return_dict=False, **more)[0]
        return Wrapped()


SMALL = {"vocab_size": 97, "hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4,
         "intermediate_size": 48, "max_position_embeddings": 64}
DECODER = {"use_cache": False}
TRANSFORMERS = {
    "bert": ("Bert", "ForSequenceClassification", SMALL),
    "roberta": ("Roberta", "ForTokenClassification", {**SMALL, "pad_token_id": 1}),
    "electra": ("Electra", "Model", {**SMALL, "embedding_size": 16}),
    "albert": ("Albert", "Model", {**SMALL, "embedding_size": 16}),
    "distilbert": ("DistilBert", "ForMaskedLM", {"vocab_size": 97, "dim": 32, "n_layers": 2, "n_heads": 4,
                                                 "hidden_dim": 48, "max_position_embeddings": 64}),
    "gpt2": ("GPT2", "LMHeadModel", {"vocab_size": 97, "n_embd": 32, "n_layer": 2, "n_head": 4, "n_positions": 64,
                                     **DECODER}),
    "llama": ("Llama", "ForCausalLM", {**SMALL, **DECODER, "num_key_value_heads": 2}),
    "qwen2": ("Qwen2", "ForCausalLM", {**SMALL, **DECODER, "num_key_value_heads": 2}),
    "mistral": ("Mistral", "Model", {**SMALL, **DECODER, "num_key_value_heads": 2}),
    "opt": ("OPT", "Model", {"vocab_size": 97, "hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4,
                             "ffn_dim": 48, "max_position_embeddings": 64, "word_embed_proj_dim": 32, **DECODER}),
    "t5-encoder": ("T5", "EncoderModel", {"vocab_size": 97, "d_model": 32, "d_kv": 8, "d_ff": 48, "num_layers": 2,
                                          "num_heads": 4}),
    "clip-text": ("CLIPText", "Model", {**SMALL, "eos_token_id": 2}),
}


def transformer_case(name, family, head, options):
    @case("transformers-" + name)
    def run(folder):
        import torch
        import transformers
        torch.manual_seed(1)
        config = getattr(transformers, family + "Config")(attn_implementation="eager", **options)
        model = Tokens.of(getattr(transformers, family + head)(config))
        ids = torch.from_numpy(RANDOM.integers(3, 97, size=(2, 9)))
        return exported(model, (ids, torch.ones_like(ids)), folder, ["input_ids", "attention_mask"])


for key, (family, head, options) in TRANSFORMERS.items():
    transformer_case(key, family, head, options)


def vision_case(name, size=64, library="torchvision.models", **options):
    @case(library.split(".")[0] + "-" + name.replace("_", "-"))
    def run(folder):
        import importlib
        import torch
        torch.manual_seed(1)
        models = importlib.import_module(library)
        model = models.create_model(name, **options) if library == "timm" else getattr(models, name)(**options)
        pixels = torch.from_numpy(RANDOM.normal(size=(1, 3, size, size)).astype(np.float32))
        return exported(model, (pixels,), folder, ["pixels"])


for key in ["resnet18", "mobilenet_v3_small", "efficientnet_b0", "convnext_tiny", "densenet121", "squeezenet1_1",
            "shufflenet_v2_x0_5", "regnet_y_400mf"]:
    vision_case(key, weights=None)
vision_case("vit_b_16", size=224, weights=None)
for key in ["mobilevit_xxs", "ghostnet_050", "mixnet_s", "levit_128s"]:
    vision_case(key, size=224 if key == "levit_128s" else 64, library="timm", pretrained=False)


def torch_case(name, make, *shapes):
    @case("torch-" + name)
    def run(folder):
        import torch
        torch.manual_seed(1)
        args = tuple(torch.from_numpy(RANDOM.normal(size=shape).astype(np.float32)) for shape in shapes)
        return exported(make(torch.nn), args, folder, ["x%d" % i for i in range(len(args))])


torch_case("lstm", lambda nn: nn.LSTM(8, 16, batch_first=True), (2, 5, 8))
torch_case("gru", lambda nn: nn.GRU(8, 16, batch_first=True), (2, 5, 8))


# TensorFlow, by tf2onnx

def keras_case(name, layers, shape):
    @case("tensorflow-" + name)
    def run(folder):
        import tensorflow
        import tf2onnx
        model = tensorflow.keras.Sequential([tensorflow.keras.Input(shape, name="x"), *layers(tensorflow.keras.layers)])
        call = tensorflow.function(model, input_signature=[tensorflow.TensorSpec((None, *shape), name="x")])
        onnx, _ = tf2onnx.convert.from_function(call, call.input_signature)
        feeds = {"x": RANDOM.normal(size=(2, *shape)).astype(np.float32)}
        return write(onnx, folder), feeds


keras_case("mlp", lambda k: [k.Dense(16, "relu"), k.Dense(3, "softmax")], (4,))
keras_case("cnn", lambda k: [k.Conv2D(4, 3), k.BatchNormalization(), k.GlobalAveragePooling2D(), k.Dense(3)], (16, 16, 3))
keras_case("lstm", lambda k: [k.LSTM(8), k.Dense(2)], (5, 4))
