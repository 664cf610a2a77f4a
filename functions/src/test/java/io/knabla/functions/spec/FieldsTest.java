package io.knabla.functions.spec;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each field with each kind of bad value: exactly one fault, at its path, saying what is allowed. */
class FieldsTest {
    private static final String DIGEST = "sha256:" + "0".repeat(64);
    private static final String GRADIENT = "gradient: {loss: {output: l}";
    private static final String LOSS = "gradient: {loss: {output: l, target: t, function:";
    private static final String OPTIMIZER = GRADIENT + ", optimizer: {learningRate: 1, type:";

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
            # spec's content                                   | path                            | message contains
            type: Inferense                                    | spec.type                       | did you mean 'Inference'?; write one of Inference, Gradient, TrainingStep
            type: 3                                            | spec.type                       | found the number 3; write one of
            model: 5                                           | spec.model                      | found the number 5; write a path beside this file
            model: [a]                                         | spec.model                      | found a list
            model: ''                                          | spec.model                      | found the text ''
            model: folder/                                     | spec.model                      | a path beside this file
            model: sha256:abc                                  | spec.model                      | 64 lower-case hex digits
            model: ftp://x/y                                   | spec.model                      | found the text 'ftp://x/y'
            model: http://host/m.onnx                          | spec.model                      | https://host/path
            model: s3://bucket                                 | spec.model                      | s3://bucket/key
            model: file://host/m                               | spec.model                      | file:///path
            model: "a\\u0007b"                                 | spec.model                      | found the text 'a?b'
            externalData: {../w: DIGEST}                       | spec.externalData['../w']       | a relative path without '..'
            externalData: {/w: DIGEST}                         | spec.externalData['/w']         | a relative path
            model: s3://Bucket/key                             | spec.model                      | s3://bucket/key
            model: s3://bucket/folder/                         | spec.model                      | s3://bucket/key
            externalData: {w: file:///w}                       | spec.externalData.w             | or s3://bucket/key
            externalData: {w: abc}                             | spec.externalData.w             | sha256: and 64
            externalData: [w]                                  | spec.externalData               | found a list; write at most 4096 entries
            resources: 5                                       | spec.resources                  | found the number 5; write a mapping
            resources: {cpu: fast}                             | spec.resources.cpu              | cores from 10m to 1024 such as 500m or 2, or auto
            resources: {cpu: 0}                                | spec.resources.cpu              | found the number 0
            resources: {cpu: -1}                               | spec.resources.cpu              | found the number -1
            resources: {cpu: 1025}                             | spec.resources.cpu              | from 10m to 1024
            resources: {cpu: 0.0005}                           | spec.resources.cpu              | found the number 0.0005
            resources: {cpu: 99999999999999999999}             | spec.resources.cpu              | from 10m to 1024
            resources: {memory: 512MB}                         | spec.resources.memory           | bytes from 64Mi to 16Ti such as 512Mi or 1Gi, or auto
            resources: {memory: 512}                           | spec.resources.memory           | from 64Mi
            resources: {memory: 500m}                          | spec.resources.memory           | from 64Mi
            resources: {memory: 17Ti}                          | spec.resources.memory           | to 16Ti
            resources: {memory: true}                          | spec.resources.memory           | found the boolean true
            resources: {gpu: none}                             | spec.resources.gpu              | a whole number from 0 to 16
            resources: {gpu: 17}                               | spec.resources.gpu              | a whole number from 0 to 16
            resources: {cpus: 1}                               | spec.resources.cpus             | did you mean 'cpu'?; allowed here: cpu, memory, gpu
            placement: {pool: tpu}                             | spec.placement.pool             | write one of auto, cpu, gpu
            placement: {capacity: spot}                        | spec.placement.capacity         | did you mean 'Spot'?
            placement: {onDemandBase: -1}                      | spec.placement.onDemandBase     | from 0 to 1000
            placement: {onDemandBase: 1.5}                     | spec.placement.onDemandBase     | found the number 1.5
            placement: {zone: a}                               | spec.placement.zone             | unknown key 'zone'; allowed here
            scaling: {min: -1}                                 | spec.scaling.min                | from 0 to 1000
            scaling: {min: '1'}                                | spec.scaling.min                | found the text '1'; write a whole number from 0 to 1000, without quotes
            scaling: {max: 0}                                  | spec.scaling.max                | from 1 to 1000
            scaling: {max: 99999999999999999999}               | spec.scaling.max                | from 1 to 1000
            scaling: {max: 0x10}                               | spec.scaling.max                | found the number 0x10
            scaling: {max: 1:30}                               | spec.scaling.max                | found the number 1:30
            scaling: {concurrency: 0}                          | spec.scaling.concurrency        | from 1 to 1000
            scaling: {targetUtilization: 0}                    | spec.scaling.targetUtilization  | a number above 0 and up to 1
            scaling: {targetUtilization: 1.01}                 | spec.scaling.targetUtilization  | a number above 0 and up to 1
            scaling: {targetUtilization: .nan}                 | spec.scaling.targetUtilization  | found the number .nan
            scaling: {targetUtilization: .inf}                 | spec.scaling.targetUtilization  | found the number .inf
            scaling: {targetUtilization: 70%}                  | spec.scaling.targetUtilization  | found the text '70%'
            scaling: {idleAfter: 60}                           | spec.scaling.idleAfter          | a duration from 0s to 168h such as 30s
            scaling: {idleAfter: -1s}                          | spec.scaling.idleAfter          | found the text '-1s'
            scaling: {idleAfter: 8d}                           | spec.scaling.idleAfter          | found the text '8d'
            scaling: {idleAfter: 169h}                         | spec.scaling.idleAfter          | to 168h
            scaling: {idleAfter: 1s1m}                         | spec.scaling.idleAfter          | found the text '1s1m'
            scaling: {idleAfter: ''}                           | spec.scaling.idleAfter          | found the text ''
            scaling: {minimum: 1}                              | spec.scaling.minimum            | unknown key 'minimum'
            keepWarm: {policy: Adaptve}                        | spec.keepWarm.policy            | did you mean 'Adaptive'?
            keepWarm: {policy: no}                             | spec.keepWarm.policy            | found the boolean no
            keepWarm: {idleTimeout: 0s}                        | spec.keepWarm.idleTimeout       | from 1ms to 168h
            keepWarm: {schedule: daily}                        | spec.keepWarm.schedule          | write a list
            batching: {maxSize: 0}                             | spec.batching.maxSize           | from 1 to 1024
            batching: {maxDelay: 11s}                          | spec.batching.maxDelay          | from 0s to 10s
            batching: {size: 2}                                | spec.batching.size              | unknown key 'size'
            timeout: 0s                                        | spec.timeout                    | from 1ms to 1h
            timeout: 2h                                        | spec.timeout                    | from 1ms to 1h
            timeout: 30                                        | spec.timeout                    | found the number 30; write a duration
            traffic: {version: 1}                              | spec.traffic                    | write a list of at most 20
            traffic: [1]                                       | spec.traffic[0]                 | found the number 1; write a mapping
            traffic: [{version: 0, percent: 100}]              | spec.traffic[0].version         | from 1 to
            traffic: [{version: 1, percent: 101}]              | spec.traffic[0].percent         | from 0 to 100
            traffic: [{percent: 100}]                          | spec.traffic[0].version         | missing; write a version's number
            traffic: [{version: 1}]                            | spec.traffic[0].percent         | missing
            traffic: [{version: 1, weight: 1, percent: 100}]   | spec.traffic[0].weight          | unknown key
            Timeout: 3s                                        | spec.Timeout                    | did you mean 'timeout'?
            "a b\\n": 1                                        | spec['a b?']                    | unknown key 'a b?'
            """)
    void oneBadFieldIsOneFault(String content, String path, String message) {
        String model = content.startsWith("model") ? "" : "  model: m.onnx\n";
        String text = FunctionYamlTest.HEAD + "spec:\n" + model + "  " + content;

        check(text.replace("DIGEST", DIGEST), path, message);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
            scaling: {min: 11}                                 | spec.scaling.min            | found 11, above spec.scaling.max of 10
            scaling: {min: 5, max: 4}                          | spec.scaling.min            | lower min or raise max
            placement: {onDemandBase: 11}                      | spec.placement.onDemandBase | above spec.scaling.max of 10
            placement: {onDemandBase: 1, capacity: Spot}       | spec.placement.onDemandBase | write capacity: Mixed, or 0
            batching: {maxSize: 4, maxDelay: 3s}, timeout: 3s  | spec.batching.maxDelay      | found 3s, not below spec.timeout of 3s
            traffic: [{version: 1, percent: 99}]               | spec.traffic                | add up to 99; make them add up to 100
            traffic: [{version: 1, percent: 50}, {version: 1, percent: 50}] | spec.traffic   | a version more than once
            gradient: {loss: {output: l}}                      | spec.gradient               | found it with spec.type Inference
            type: TrainingStep                                 | spec.gradient               | missing; spec.type TrainingStep needs to know its loss
            type: Gradient, GRADIENT, optimizer: {type: SGD, learningRate: 1}} | spec.gradient.optimizer | changes no weights
            type: TrainingStep, GRADIENT}                      | spec.gradient.optimizer     | missing; spec.type TrainingStep needs one
            type: Gradient, gradient: {loss: {output: l, target: t}} | spec.gradient.loss.target | without a loss function
            type: Gradient, gradient: {loss: {output: l, function: MSE}} | spec.gradient.loss.target | missing; the loss function
            type: Gradient, GRADIENT, memory: {maxBytes: 1Gi}} | spec.gradient.memory.maxBytes | strategy: Recompute
            type: Gradient, GRADIENT, withRespectTo: []}       | spec.gradient.withRespectTo | found an empty list
            type: Gradient, gradient: {}                       | spec.gradient.loss          | missing; write the loss
            type: Gradient, gradient: {loss: {}}               | spec.gradient.loss.output   | missing
            type: Gradient, gradient: {loss: logits}           | spec.gradient.loss          | found the text 'logits'; write a mapping
            type: Gradient, gradient: {loss: {output: 5}}      | spec.gradient.loss.output   | the name of a value in the model
            type: Gradient, GRADIENT, withRespectTo: w}        | spec.gradient.withRespectTo | write a list
            type: Gradient, GRADIENT, withRespectTo: [1]}      | spec.gradient.withRespectTo[0] | found the number 1
            type: Gradient, GRADIENT, memory: {strategy: Some}} | spec.gradient.memory.strategy | None, Recompute
            type: TrainingStep, GRADIENT, optimizer: {type: Adan, learningRate: 1}} | spec.gradient.optimizer.type | did you mean 'Adam'?
            type: TrainingStep, GRADIENT, optimizer: {type: Adam}} | spec.gradient.optimizer.learningRate | missing
            type: TrainingStep, GRADIENT, optimizer: {type: Adam, learningRate: 0}} | spec.gradient.optimizer.learningRate | a number above 0
            type: Gradient, gradient: {loss: {output: l, function: mse, target: t}} | spec.gradient.loss.function | did you mean 'MSE'?
            type: Gradient, gradient: {loss: {output: l, function: softmax_cross_entropy, target: t}} | spec.gradient.loss.function | did you mean 'SoftmaxCrossEntropy'?
            type: Gradient, gradient: {loss: {output: l, function: CrossEntropy, target: t}} | spec.gradient.loss.function | write one of MSE, MAE, Huber, BCEWithLogits, SoftmaxCrossEntropy, NLL, Cosine
            type: Gradient, gradient: {loss: {output: l, reduction: Sum}} | spec.gradient.loss.reduction | without a loss function
            type: Gradient, LOSS MSE, axis: 2}}                | spec.gradient.loss.axis     | have classes
            type: Gradient, LOSS NLL, axis: 99}}               | spec.gradient.loss.axis     | from -32 to 31
            type: Gradient, LOSS MSE, delta: 2}}               | spec.gradient.loss.delta    | only Huber has it
            type: Gradient, LOSS Huber, delta: 0}}             | spec.gradient.loss.delta    | a number above 0
            type: Gradient, LOSS MAE, labelSmoothing: 0.1}}    | spec.gradient.loss.labelSmoothing | only SoftmaxCrossEntropy
            type: Gradient, LOSS SoftmaxCrossEntropy, labelSmoothing: 1}} | spec.gradient.loss.labelSmoothing | from 0 to below 1
            type: Gradient, LOSS NLL, targetForm: Labels}}     | spec.gradient.loss.targetForm | only SoftmaxCrossEntropy
            type: Gradient, LOSS Cosine, ignoreIndex: 1}}      | spec.gradient.loss.ignoreIndex | have labels
            type: Gradient, LOSS MSE, classWeights: [1]}}      | spec.gradient.loss.classWeights | have classes
            type: Gradient, LOSS NLL, classWeights: [-1]}}     | spec.gradient.loss.classWeights[0] | from 0 to 1000000
            type: Gradient, LOSS SoftmaxCrossEntropy, targetForm: Probabilities, ignoreIndex: 1}} | spec.gradient.loss.ignoreIndex | no labels to ignore
            type: Gradient, GRADIENT, unreachable: zero}       | spec.gradient.unreachable   | did you mean 'Zero'?
            type: Gradient, GRADIENT}, batching: {maxSize: 2}  | spec.batching.maxSize       | requests cannot be joined
            type: Gradient, GRADIENT}, quantize: {type: Dynamic} | spec.quantize             | integers have no gradients
            quantize: {type: Static}                           | spec.quantize.calibration   | missing; type Static
            quantize: {type: Dynamic, calibration: c.json}     | spec.quantize.calibration   | which measures nothing
            type: TrainingStep, OPTIMIZER SGD}}, scaling: {max: 2} | spec.scaling.max        | a TrainingStep has one replica
            type: TrainingStep, OPTIMIZER SGD}, withRespectTo: [inputs]} | spec.gradient.withRespectTo | a training step cannot change
            type: TrainingStep, OPTIMIZER SGD, momentum: 0.5}} | spec.gradient.optimizer.momentum | write type: Momentum
            type: TrainingStep, OPTIMIZER Adam, nesterov: true}} | spec.gradient.optimizer.nesterov | write type: Momentum
            type: TrainingStep, OPTIMIZER Momentum, nesterov: 1}} | spec.gradient.optimizer.nesterov | true or false
            type: TrainingStep, OPTIMIZER Momentum, beta1: 0.5}} | spec.gradient.optimizer.beta1 | write type: Adam or AdamW
            type: TrainingStep, OPTIMIZER SGD, beta2: 0.5}}    | spec.gradient.optimizer.beta2 | write type: Adam or AdamW
            type: TrainingStep, OPTIMIZER SGD, epsilon: 0.5}}  | spec.gradient.optimizer.epsilon | write type: Adam or AdamW
            type: TrainingStep, OPTIMIZER Adam, beta1: 1}}     | spec.gradient.optimizer.beta1 | from 0 to below 1
            type: TrainingStep, OPTIMIZER Adam, weightDecay: -1}} | spec.gradient.optimizer.weightDecay | from 0 to 1000
            type: TrainingStep, OPTIMIZER SGD, accumulate: 0}} | spec.gradient.optimizer.accumulate | from 1 to
            type: TrainingStep, OPTIMIZER SGD, clip: {}}}      | spec.gradient.optimizer.clip | is empty
            type: TrainingStep, OPTIMIZER SGD, clip: {norm: 1, value: 1}}} | spec.gradient.optimizer.clip | found norm and value
            type: TrainingStep, OPTIMIZER SGD, schedule: {stepSize: 1}}} | spec.gradient.optimizer.schedule.stepSize | write type: Step
            type: TrainingStep, OPTIMIZER SGD, schedule: {type: Step, stepSize: 1}}} | spec.gradient.optimizer.schedule.gamma | missing; type Step
            type: TrainingStep, OPTIMIZER SGD, schedule: {type: Cosine}}} | spec.gradient.optimizer.schedule.totalSteps | missing; type Cosine
            type: TrainingStep, OPTIMIZER SGD, schedule: {type: Linear, totalSteps: 5, warmupSteps: 5}}} | spec.gradient.optimizer.schedule.warmupSteps | not below totalSteps of 5
            keepWarm: {policy: Fixed}                          | spec.keepWarm.idleTimeout   | missing; policy Fixed
            keepWarm: {schedule: [{cron: '* * * *', duration: 1h}]} | spec.keepWarm.schedule[0].cron | five cron fields
            keepWarm: {schedule: [{cron: '0 25 * * *', duration: 1h}]} | spec.keepWarm.schedule[0].cron | found the text '0 25 * * *'
            keepWarm: {schedule: [{cron: '@daily', duration: 1h}]} | spec.keepWarm.schedule[0].cron | five cron fields
            keepWarm: {schedule: [{duration: 1h}]}             | spec.keepWarm.schedule[0].cron | missing
            keepWarm: {schedule: [{cron: '0 8 * * 1-5', duration: 1h, timezone: Berlin}]} | spec.keepWarm.schedule[0].timezone | Europe/Berlin
            keepWarm: {schedule: [{cron: '0 8 * * 1-5'}]}      | spec.keepWarm.schedule[0].duration | missing; write how long
            keepWarm: {schedule: [{cron: '0 8 * * 1-5', duration: 1h, min: 0}]} | spec.keepWarm.schedule[0].min | from 1
            keepWarm: {schedule: [{cron: '0 8 * * 1-5', duration: 1h, min: 11}]} | spec.keepWarm.schedule | above spec.scaling.max
            resources: {gpu: 1}, placement: {pool: cpu}        | spec.resources.gpu          | write pool: gpu or auto, or gpu: 0
            """)
    void contradictionsAndLaterFieldsAreChecked(String content, String path, String message) {
        String text =
                FunctionYamlTest.HEAD
                        + "spec: {model: m.onnx, "
                        + content.replace("GRADIENT", GRADIENT)
                                .replace("LOSS", LOSS)
                                .replace("OPTIMIZER", OPTIMIZER)
                        + "}";
        // What is not supported yet has faults of its own, and its values are checked all the same.
        assertThat(FunctionYamlTest.faults(text))
                .filteredOn(fault -> !fault.message().startsWith("not supported yet"))
                .singleElement()
                .satisfies(fault -> assertThat(fault.path()).isEqualTo(path))
                .satisfies(fault -> assertThat(fault.message()).contains(message));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
            model: https://host/m.onnx                                             | spec.model
            keepWarm: {policy: Always}                                             | spec.keepWarm.policy
            keepWarm: {policy: Fixed, idleTimeout: 10m}                            | spec.keepWarm.policy
            keepWarm: {schedule: [{cron: 0 8 * * 1-5, timezone: Europe/Berlin, duration: 10h, min: 1}]} | spec.keepWarm.schedule
            """)
    void whatDoesNotWorkYetIsRefusedWithWhatToWrite(String content, String path) {
        String model = content.startsWith("model") ? "" : "model: m.onnx, ";
        String text =
                FunctionYamlTest.HEAD
                        + "spec: {"
                        + model
                        + content.replace("GRADIENT", GRADIENT)
                        + "}";
        check(text, path, "not supported yet: ");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
            {}                              | metadata.name        | missing; write the function's name
            {name: Digits}                  | metadata.name        | a DNS label
            {name: -a}                      | metadata.name        | a DNS label
            {name: a-}                      | metadata.name        | a DNS label
            {name: a.b}                     | metadata.name        | a DNS label
            {name: 123}                     | metadata.name        | found the number 123; write a DNS label
            {name: no}                      | metadata.name        | found the boolean no
            {name: LONG}                    | metadata.name        | 1 to 63
            {name: a, namespace: A}         | metadata.namespace   | a DNS label
            {name: a, labels: [b]}          | metadata.labels      | found a list
            {name: a, labels: {b: 1}}       | metadata.labels.b    | found the number 1; write text
            {name: a, annotations: {b: {}}} | metadata.annotations.b | found a mapping
            {name: a, nam: b}               | metadata.nam         | did you mean 'name'?
            a                               | metadata             | found the text 'a'; write a mapping
            ~                               | metadata             | missing; write metadata
            """)
    void metadataIsChecked(String metadata, String path, String message) {
        String text =
                "apiVersion: knabla.dev/v1alpha1\nkind: Function\nspec: {model: m}\nmetadata: "
                        + metadata.replace("LONG", "a".repeat(64));
        check(text, path, message);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
            kind: Function                             | apiVersion | missing; write knabla.dev/v1alpha1
            apiVersion: v1, kind: Function             | apiVersion | found the text 'v1'; write knabla.dev/v1alpha1
            apiVersion: knabla.dev/v1alpha1            | kind       | missing; write Function
            apiVersion: knabla.dev/v1alpha1, kind: Pod | kind       | found the text 'Pod'; write Function
            apiVersion: knabla.dev/v1alpha1, kind: Function, extra: 1 | extra | unknown key 'extra'
            """)
    void theHeadIsChecked(String head, String path, String message) {
        check("{" + head + ", metadata: {name: a}, spec: {model: m}}", path, message);
    }

    private static void check(String text, String path, String message) {
        assertThat(FunctionYamlTest.faults(text))
                .singleElement()
                .satisfies(fault -> assertThat(fault.path()).isEqualTo(path))
                .satisfies(fault -> assertThat(fault.message()).contains(message));
    }
}
