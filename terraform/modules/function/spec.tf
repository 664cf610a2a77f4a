# Made from functions/spec; do not edit. To write it again:
# mvn -pl functions/spec -am test -Dtest=FunctionModuleTest -Dsurefire.failIfNoSpecifiedTests=false -Dterraform=write

variable "type" {
  description = "What it computes: Inference answers the model's outputs, Gradient answers a loss and its gradients, TrainingStep changes the weights with each request, Generation writes texts, Encoder makes vectors of texts or ranks them. Default: Inference."
  type        = string
  default     = null

  validation {
    condition     = try(var.type, null) == null ? true : try(can(regex("^\"", jsonencode(var.type))) && contains(["Inference", "Gradient", "TrainingStep", "Generation", "Encoder"], var.type), false)
    error_message = "spec.type: found ${try(jsonencode(var.type), "")}; write one of Inference, Gradient, TrainingStep, Generation, Encoder"
  }
}

variable "model" {
  description = "The ONNX model, or for Generation and Encoder a folder as Hugging Face has it (where files are uploaded one by one, its config.json, and the others under externalData); a digest is that of a model or a unit in the platform's store. The path of a file works where a command line sends it: ./knabla deploy. Allowed: s3://bucket/key, or sha256: and 64 lower-case hex digits."
  type        = string
  default     = null

  validation {
    condition     = try(var.model, null) == null ? true : try(can(regex("^\"", jsonencode(var.model))) && length(var.model) <= 1024, false)
    error_message = "spec.model: found ${try(jsonencode(var.model), "")}; write a text"
  }

  validation {
    condition     = try(var.model, null) == null ? true : try((can(regex("^[A-Za-z][A-Za-z0-9+.-]*:", var.model)) ? !startswith(var.model, "file:") : false), true)
    error_message = "spec.model: found a path, and kubectl sends no files; write s3://bucket/key, or sha256: and the digest of an uploaded file, or let the command line send it: ./knabla deploy -f function.yaml --context NAME"
  }

  validation {
    condition     = try(var.model, null) == null ? true : try(((startswith(var.model, "file:") ? true : !can(regex("^[A-Za-z][A-Za-z0-9+.-]*:", var.model))) ? true : (can(regex("^(?:sha256:[0-9a-f]{64}|s3://[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]/.*[^/]/?|https://[^/\\s]+/\\S+)$", var.model)) ? !can(regex("[\\x00-\\x1f\\x7f-\\x9f]", var.model)) : false)), true)
    error_message = "spec.model: write s3://bucket/key, or sha256: and 64 lower-case hex digits"
  }

  validation {
    condition     = try(!startswith(var.model, "https:"), true)
    error_message = "spec.model: not supported yet: models to download; write the path of a local file, or s3://bucket/key"
  }
}

variable "externalData" {
  description = "The model's external data files by their location in the model, or the other files of a Generation's or Encoder's folder by name; each sha256: and the digest of an uploaded file, or s3://bucket/key. The command line writes this."
  type        = any
  default     = null

  validation {
    condition     = try(var.externalData, null) == null ? true : try(can(regex("^\\{", jsonencode(var.externalData))) && length(var.externalData) <= 4096, false)
    error_message = "spec.externalData: found ${try(jsonencode(var.externalData), "")}; write a mapping of at most 4096 entries"
  }

  validation {
    condition     = alltrue(try([for item0 in var.externalData : try(item0, null) == null ? true : try(can(regex("^\"", jsonencode(item0))) && length(item0) <= 1024 && can(regex("^(?:sha256:[0-9a-f]{64}|s3://[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]/.*[^/])$", item0)), false)], []))
    error_message = "spec.externalData.*: write a text"
  }
}

variable "servedName" {
  description = "The model's name in the Open Inference Protocol, as in /v2/models/NAME; default the function's name, which works on a laptop too. Allowed: 1 to 128 of A-Z, a-z, 0-9, _, . and -, starting with a letter, a digit or _."
  type        = string
  default     = null

  validation {
    condition     = try(var.servedName, null) == null ? true : try(can(regex("^\"", jsonencode(var.servedName))) && can(regex("^(?:[A-Za-z0-9_][A-Za-z0-9_.-]{0,127})$", var.servedName)), false)
    error_message = "spec.servedName: found ${try(jsonencode(var.servedName), "")}; write 1 to 128 of A-Z, a-z, 0-9, _, . and -, starting with a letter, a digit or _"
  }

  validation {
    condition     = try((!(try(var.servedName, null) != null) ? true : var.servedName != "stats"), true)
    error_message = "spec.servedName: found 'stats', but /v2/models/stats is the path of the statistics of all models; write another name, or leave it out to serve the model under the function's"
  }
}

variable "grpc" {
  description = "Default false; whether gRPC clients reach the function on a cluster; the port of its pods is then HTTP/2 without TLS (h2c). A laptop serves gRPC without it. Default: false."
  type        = any
  default     = null

  validation {
    condition     = try(var.grpc, null) == null ? true : try(can(regex("^(true|false)$", jsonencode(var.grpc))), false)
    error_message = "spec.grpc: found ${try(jsonencode(var.grpc), "")}; write true or false"
  }
}

variable "shapes" {
  description = "Shapes of inputs and outputs by name, for those that the model declares without one, or with sizes that may vary more than it says; -1 for a variable size that need not equal another, such as x: [-1, 4]."
  type        = any
  default     = null

  validation {
    condition     = try(var.shapes, null) == null ? true : try(can(regex("^\\{", jsonencode(var.shapes))) && length(var.shapes) <= 100, false)
    error_message = "spec.shapes: found ${try(jsonencode(var.shapes), "")}; write a mapping of at most 100 entries"
  }

  validation {
    condition     = alltrue(try([for item0 in var.shapes : try(item0, null) == null ? true : try(can(regex("^\\[", jsonencode(item0))) && length(item0) <= 32, false)], []))
    error_message = "spec.shapes.*: write a list of at most 32"
  }

  validation {
    condition     = alltrue(try([for item0 in var.shapes : alltrue(try([for item1 in item0 : try(item1, null) == null ? true : try(can(regex("^[-0-9]", jsonencode(item1))) && floor(item1) == item1 && item1 >= -1 && item1 <= 2147483647, false)], []))], []))
    error_message = "spec.shapes.*[]: write a whole number from -1 to 2147483647"
  }
}

variable "optionalInputs" {
  description = "Initializers of the model that a request may give another value for; without it they have the value of the file. Inputs of ONNX's optional type are optional anyway."
  type        = any
  default     = null

  validation {
    condition     = try(var.optionalInputs, null) == null ? true : try(can(regex("^\\[", jsonencode(var.optionalInputs))) && length(var.optionalInputs) <= 100, false)
    error_message = "spec.optionalInputs: found ${try(jsonencode(var.optionalInputs), "")}; write a list of at most 100"
  }

  validation {
    condition     = alltrue(try([for item0 in var.optionalInputs : try(item0, null) == null ? true : try(can(regex("^\"", jsonencode(item0))) && length(item0) <= 1024 && can(regex("^[^\\x00-\\x1f\\x7f-\\x9f]*[^\\x00-\\x20\\x7f-\\x9f][^\\x00-\\x1f\\x7f-\\x9f]*$", item0)), false)], []))
    error_message = "spec.optionalInputs[]: write a text"
  }
}

variable "gradient" {
  description = "What is differentiated, and with respect to what. For the types Gradient and TrainingStep only, which need it."
  type        = any
  default     = null

  validation {
    condition     = try(var.gradient, null) == null ? true : try(length(setsubtract(keys(var.gradient), ["loss", "withRespectTo", "except", "unreachable", "straightThrough", "optimizer", "memory"])) == 0, false)
    error_message = "spec.gradient: found ${try(join(", ", setsubtract(keys(var.gradient), ["loss", "withRespectTo", "except", "unreachable", "straightThrough", "optimizer", "memory"])), jsonencode(var.gradient), "")}; allowed here: loss, withRespectTo, except, unreachable, straightThrough, optimizer, memory"
  }

  validation {
    condition     = try(var.gradient, null) == null ? true : try(try(var.gradient.loss, null) != null, false)
    error_message = "spec.gradient.loss: missing; write it"
  }

  validation {
    condition     = try(var.gradient.loss, null) == null ? true : try(length(setsubtract(keys(var.gradient.loss), ["output", "function", "target", "reduction", "targetForm", "labelSmoothing", "ignoreIndex", "classWeights", "delta", "axis"])) == 0, false)
    error_message = "spec.gradient.loss: found ${try(join(", ", setsubtract(keys(var.gradient.loss), ["output", "function", "target", "reduction", "targetForm", "labelSmoothing", "ignoreIndex", "classWeights", "delta", "axis"])), jsonencode(var.gradient.loss), "")}; allowed here: output, function, target, reduction, targetForm, labelSmoothing, ignoreIndex, classWeights, delta, axis"
  }

  validation {
    condition     = try(var.gradient.loss, null) == null ? true : try(try(var.gradient.loss.output, null) != null, false)
    error_message = "spec.gradient.loss.output: missing; write it"
  }

  validation {
    condition     = try(var.gradient.loss.output, null) == null ? true : try(can(regex("^\"", jsonencode(var.gradient.loss.output))) && length(var.gradient.loss.output) <= 512 && can(regex("^[^\\x00-\\x1f\\x7f-\\x9f]*[^\\x00-\\x20\\x7f-\\x9f][^\\x00-\\x1f\\x7f-\\x9f]*$", var.gradient.loss.output)), false)
    error_message = "spec.gradient.loss.output: found ${try(jsonencode(var.gradient.loss.output), "")}; write a text"
  }

  validation {
    condition     = try(var.gradient.loss.function, null) == null ? true : try(can(regex("^\"", jsonencode(var.gradient.loss.function))) && contains(["MSE", "MAE", "Huber", "BCEWithLogits", "SoftmaxCrossEntropy", "NLL", "Cosine"], var.gradient.loss.function), false)
    error_message = "spec.gradient.loss.function: found ${try(jsonencode(var.gradient.loss.function), "")}; write one of MSE, MAE, Huber, BCEWithLogits, SoftmaxCrossEntropy, NLL, Cosine"
  }

  validation {
    condition     = try(var.gradient.loss.target, null) == null ? true : try(can(regex("^\"", jsonencode(var.gradient.loss.target))) && length(var.gradient.loss.target) <= 512 && can(regex("^[^\\x00-\\x1f\\x7f-\\x9f]*[^\\x00-\\x20\\x7f-\\x9f][^\\x00-\\x1f\\x7f-\\x9f]*$", var.gradient.loss.target)), false)
    error_message = "spec.gradient.loss.target: found ${try(jsonencode(var.gradient.loss.target), "")}; write a text"
  }

  validation {
    condition     = try(var.gradient.loss.reduction, null) == null ? true : try(can(regex("^\"", jsonencode(var.gradient.loss.reduction))) && contains(["Mean", "Sum", "None"], var.gradient.loss.reduction), false)
    error_message = "spec.gradient.loss.reduction: found ${try(jsonencode(var.gradient.loss.reduction), "")}; write one of Mean, Sum, None"
  }

  validation {
    condition     = try(var.gradient.loss.targetForm, null) == null ? true : try(can(regex("^\"", jsonencode(var.gradient.loss.targetForm))) && contains(["Labels", "Probabilities"], var.gradient.loss.targetForm), false)
    error_message = "spec.gradient.loss.targetForm: found ${try(jsonencode(var.gradient.loss.targetForm), "")}; write one of Labels, Probabilities"
  }

  validation {
    condition     = try(var.gradient.loss.labelSmoothing, null) == null ? true : try(can(regex("^[-0-9]", jsonencode(var.gradient.loss.labelSmoothing))) && var.gradient.loss.labelSmoothing >= 0 && var.gradient.loss.labelSmoothing < 1, false)
    error_message = "spec.gradient.loss.labelSmoothing: found ${try(jsonencode(var.gradient.loss.labelSmoothing), "")}; write a number from 0 to below 1"
  }

  validation {
    condition     = try(var.gradient.loss.ignoreIndex, null) == null ? true : try(can(regex("^[-0-9]", jsonencode(var.gradient.loss.ignoreIndex))) && floor(var.gradient.loss.ignoreIndex) == var.gradient.loss.ignoreIndex && var.gradient.loss.ignoreIndex >= -1000000000 && var.gradient.loss.ignoreIndex <= 1000000000, false)
    error_message = "spec.gradient.loss.ignoreIndex: found ${try(jsonencode(var.gradient.loss.ignoreIndex), "")}; write a whole number from -1000000000 to 1000000000"
  }

  validation {
    condition     = try(var.gradient.loss.classWeights, null) == null ? true : try(can(regex("^\\[", jsonencode(var.gradient.loss.classWeights))) && length(var.gradient.loss.classWeights) <= 100000, false)
    error_message = "spec.gradient.loss.classWeights: found ${try(jsonencode(var.gradient.loss.classWeights), "")}; write a list of at most 100000"
  }

  validation {
    condition     = alltrue(try([for item0 in var.gradient.loss.classWeights : try(item0, null) == null ? true : try(can(regex("^[-0-9]", jsonencode(item0))) && item0 >= 0 && item0 <= 1000000, false)], []))
    error_message = "spec.gradient.loss.classWeights[]: write a number from 0 to 1000000"
  }

  validation {
    condition     = try(var.gradient.loss.delta, null) == null ? true : try(can(regex("^[-0-9]", jsonencode(var.gradient.loss.delta))) && var.gradient.loss.delta > 0 && var.gradient.loss.delta <= 1000000, false)
    error_message = "spec.gradient.loss.delta: found ${try(jsonencode(var.gradient.loss.delta), "")}; write a number above 0 and up to 1000000"
  }

  validation {
    condition     = try(var.gradient.loss.axis, null) == null ? true : try(can(regex("^[-0-9]", jsonencode(var.gradient.loss.axis))) && floor(var.gradient.loss.axis) == var.gradient.loss.axis && var.gradient.loss.axis >= -32 && var.gradient.loss.axis <= 31, false)
    error_message = "spec.gradient.loss.axis: found ${try(jsonencode(var.gradient.loss.axis), "")}; write a whole number from -32 to 31"
  }

  validation {
    condition     = try(var.gradient.loss, null) == null ? true : try((!(try(var.gradient.loss.reduction, null) != null) ? true : ((try(var.gradient.loss.function, null) != null) ? contains(["MSE", "MAE", "Huber", "BCEWithLogits", "SoftmaxCrossEntropy", "NLL", "Cosine"], var.gradient.loss.function) : false)), true)
    error_message = "spec.gradient.loss.reduction: found it without a loss function to reduce; remove it, or add function"
  }

  validation {
    condition     = try(var.gradient.loss, null) == null ? true : try((!(try(var.gradient.loss.targetForm, null) != null) ? true : ((try(var.gradient.loss.function, null) != null) ? contains(["SoftmaxCrossEntropy"], var.gradient.loss.function) : false)), true)
    error_message = "spec.gradient.loss.targetForm: only SoftmaxCrossEntropy accepts labels or probabilities; remove it, or correct function"
  }

  validation {
    condition     = try(var.gradient.loss, null) == null ? true : try((!(try(var.gradient.loss.labelSmoothing, null) != null) ? true : ((try(var.gradient.loss.function, null) != null) ? contains(["SoftmaxCrossEntropy"], var.gradient.loss.function) : false)), true)
    error_message = "spec.gradient.loss.labelSmoothing: only SoftmaxCrossEntropy has it; remove it, or correct function"
  }

  validation {
    condition     = try(var.gradient.loss, null) == null ? true : try((!(try(var.gradient.loss.ignoreIndex, null) != null) ? true : ((try(var.gradient.loss.function, null) != null) ? contains(["SoftmaxCrossEntropy", "NLL"], var.gradient.loss.function) : false)), true)
    error_message = "spec.gradient.loss.ignoreIndex: only SoftmaxCrossEntropy and NLL have labels; remove it, or correct function"
  }

  validation {
    condition     = try(var.gradient.loss, null) == null ? true : try((!(try(var.gradient.loss.classWeights, null) != null) ? true : ((try(var.gradient.loss.function, null) != null) ? contains(["SoftmaxCrossEntropy", "NLL"], var.gradient.loss.function) : false)), true)
    error_message = "spec.gradient.loss.classWeights: only SoftmaxCrossEntropy and NLL have classes; remove it, or correct function"
  }

  validation {
    condition     = try(var.gradient.loss, null) == null ? true : try((!(try(var.gradient.loss.axis, null) != null) ? true : ((try(var.gradient.loss.function, null) != null) ? contains(["SoftmaxCrossEntropy", "NLL"], var.gradient.loss.function) : false)), true)
    error_message = "spec.gradient.loss.axis: only SoftmaxCrossEntropy and NLL have classes; remove it, or correct function"
  }

  validation {
    condition     = try(var.gradient.loss, null) == null ? true : try((!(try(var.gradient.loss.delta, null) != null) ? true : ((try(var.gradient.loss.function, null) != null) ? contains(["Huber"], var.gradient.loss.function) : false)), true)
    error_message = "spec.gradient.loss.delta: only Huber has it; remove it, or correct function"
  }

  validation {
    condition     = try(var.gradient.loss, null) == null ? true : try((!(try(var.gradient.loss.target, null) != null) ? true : (try(var.gradient.loss.function, null) != null)), true)
    error_message = "spec.gradient.loss.target: found it without a loss function to compare with; add function, or remove it"
  }

  validation {
    condition     = try(var.gradient.loss, null) == null ? true : try(((try(var.gradient.loss.target, null) != null) ? true : !(try(var.gradient.loss.function, null) != null)), true)
    error_message = "spec.gradient.loss.target: missing; the loss function compares the output with it, write target: label or another name"
  }

  validation {
    condition     = try(var.gradient.loss, null) == null ? true : try((!(try(var.gradient.loss.ignoreIndex, null) != null) ? true : (((try(var.gradient.loss.targetForm, null) != null) ? var.gradient.loss.targetForm : "Labels")) != "Probabilities"), true)
    error_message = "spec.gradient.loss.ignoreIndex: found it with targetForm Probabilities, which has no labels to ignore; remove it, or write targetForm: Labels"
  }

  validation {
    condition     = try(var.gradient.withRespectTo, null) == null ? true : try(can(regex("^\\[", jsonencode(var.gradient.withRespectTo))) && length(var.gradient.withRespectTo) <= 4096, false)
    error_message = "spec.gradient.withRespectTo: found ${try(jsonencode(var.gradient.withRespectTo), "")}; write a list of at most 4096"
  }

  validation {
    condition     = alltrue(try([for item0 in var.gradient.withRespectTo : try(item0, null) == null ? true : try(can(regex("^\"", jsonencode(item0))) && length(item0) <= 512 && can(regex("^[^\\x00-\\x1f\\x7f-\\x9f]*[^\\x00-\\x20\\x7f-\\x9f][^\\x00-\\x1f\\x7f-\\x9f]*$", item0)), false)], []))
    error_message = "spec.gradient.withRespectTo[]: write a text"
  }

  validation {
    condition     = try(var.gradient.except, null) == null ? true : try(can(regex("^\\[", jsonencode(var.gradient.except))) && length(var.gradient.except) <= 4096, false)
    error_message = "spec.gradient.except: found ${try(jsonencode(var.gradient.except), "")}; write a list of at most 4096"
  }

  validation {
    condition     = alltrue(try([for item0 in var.gradient.except : try(item0, null) == null ? true : try(can(regex("^\"", jsonencode(item0))) && length(item0) <= 512 && can(regex("^[^\\x00-\\x1f\\x7f-\\x9f]*[^\\x00-\\x20\\x7f-\\x9f][^\\x00-\\x1f\\x7f-\\x9f]*$", item0)), false)], []))
    error_message = "spec.gradient.except[]: write a text"
  }

  validation {
    condition     = try(var.gradient.unreachable, null) == null ? true : try(can(regex("^\"", jsonencode(var.gradient.unreachable))) && contains(["Refuse", "Zero"], var.gradient.unreachable), false)
    error_message = "spec.gradient.unreachable: found ${try(jsonencode(var.gradient.unreachable), "")}; write one of Refuse, Zero"
  }

  validation {
    condition     = try(var.gradient.straightThrough, null) == null ? true : try(can(regex("^(true|false)$", jsonencode(var.gradient.straightThrough))), false)
    error_message = "spec.gradient.straightThrough: found ${try(jsonencode(var.gradient.straightThrough), "")}; write true or false"
  }

  validation {
    condition     = try(var.gradient.optimizer, null) == null ? true : try(length(setsubtract(keys(var.gradient.optimizer), ["type", "learningRate", "momentum", "nesterov", "beta1", "beta2", "epsilon", "weightDecay", "schedule", "clip", "accumulate"])) == 0, false)
    error_message = "spec.gradient.optimizer: found ${try(join(", ", setsubtract(keys(var.gradient.optimizer), ["type", "learningRate", "momentum", "nesterov", "beta1", "beta2", "epsilon", "weightDecay", "schedule", "clip", "accumulate"])), jsonencode(var.gradient.optimizer), "")}; allowed here: type, learningRate, momentum, nesterov, beta1, beta2, epsilon, weightDecay, schedule, clip, accumulate"
  }

  validation {
    condition     = try(var.gradient.optimizer, null) == null ? true : try(try(var.gradient.optimizer.type, null) != null, false)
    error_message = "spec.gradient.optimizer.type: missing; write it"
  }

  validation {
    condition     = try(var.gradient.optimizer, null) == null ? true : try(try(var.gradient.optimizer.learningRate, null) != null, false)
    error_message = "spec.gradient.optimizer.learningRate: missing; write it"
  }

  validation {
    condition     = try(var.gradient.optimizer.type, null) == null ? true : try(can(regex("^\"", jsonencode(var.gradient.optimizer.type))) && contains(["SGD", "Momentum", "Adam", "AdamW"], var.gradient.optimizer.type), false)
    error_message = "spec.gradient.optimizer.type: found ${try(jsonencode(var.gradient.optimizer.type), "")}; write one of SGD, Momentum, Adam, AdamW"
  }

  validation {
    condition     = try(var.gradient.optimizer.learningRate, null) == null ? true : try(can(regex("^[-0-9]", jsonencode(var.gradient.optimizer.learningRate))) && var.gradient.optimizer.learningRate > 0 && var.gradient.optimizer.learningRate <= 1000, false)
    error_message = "spec.gradient.optimizer.learningRate: found ${try(jsonencode(var.gradient.optimizer.learningRate), "")}; write a number above 0 and up to 1000"
  }

  validation {
    condition     = try(var.gradient.optimizer.momentum, null) == null ? true : try(can(regex("^[-0-9]", jsonencode(var.gradient.optimizer.momentum))) && var.gradient.optimizer.momentum >= 0 && var.gradient.optimizer.momentum < 1, false)
    error_message = "spec.gradient.optimizer.momentum: found ${try(jsonencode(var.gradient.optimizer.momentum), "")}; write a number from 0 to below 1"
  }

  validation {
    condition     = try(var.gradient.optimizer.nesterov, null) == null ? true : try(can(regex("^(true|false)$", jsonencode(var.gradient.optimizer.nesterov))), false)
    error_message = "spec.gradient.optimizer.nesterov: found ${try(jsonencode(var.gradient.optimizer.nesterov), "")}; write true or false"
  }

  validation {
    condition     = try(var.gradient.optimizer.beta1, null) == null ? true : try(can(regex("^[-0-9]", jsonencode(var.gradient.optimizer.beta1))) && var.gradient.optimizer.beta1 >= 0 && var.gradient.optimizer.beta1 < 1, false)
    error_message = "spec.gradient.optimizer.beta1: found ${try(jsonencode(var.gradient.optimizer.beta1), "")}; write a number from 0 to below 1"
  }

  validation {
    condition     = try(var.gradient.optimizer.beta2, null) == null ? true : try(can(regex("^[-0-9]", jsonencode(var.gradient.optimizer.beta2))) && var.gradient.optimizer.beta2 >= 0 && var.gradient.optimizer.beta2 < 1, false)
    error_message = "spec.gradient.optimizer.beta2: found ${try(jsonencode(var.gradient.optimizer.beta2), "")}; write a number from 0 to below 1"
  }

  validation {
    condition     = try(var.gradient.optimizer.epsilon, null) == null ? true : try(can(regex("^[-0-9]", jsonencode(var.gradient.optimizer.epsilon))) && var.gradient.optimizer.epsilon > 0 && var.gradient.optimizer.epsilon <= 1, false)
    error_message = "spec.gradient.optimizer.epsilon: found ${try(jsonencode(var.gradient.optimizer.epsilon), "")}; write a number above 0 and up to 1"
  }

  validation {
    condition     = try(var.gradient.optimizer.weightDecay, null) == null ? true : try(can(regex("^[-0-9]", jsonencode(var.gradient.optimizer.weightDecay))) && var.gradient.optimizer.weightDecay >= 0 && var.gradient.optimizer.weightDecay <= 1000, false)
    error_message = "spec.gradient.optimizer.weightDecay: found ${try(jsonencode(var.gradient.optimizer.weightDecay), "")}; write a number from 0 to 1000"
  }

  validation {
    condition     = try(var.gradient.optimizer.schedule, null) == null ? true : try(length(setsubtract(keys(var.gradient.optimizer.schedule), ["type", "warmupSteps", "totalSteps", "finalFactor", "stepSize", "gamma"])) == 0, false)
    error_message = "spec.gradient.optimizer.schedule: found ${try(join(", ", setsubtract(keys(var.gradient.optimizer.schedule), ["type", "warmupSteps", "totalSteps", "finalFactor", "stepSize", "gamma"])), jsonencode(var.gradient.optimizer.schedule), "")}; allowed here: type, warmupSteps, totalSteps, finalFactor, stepSize, gamma"
  }

  validation {
    condition     = try(var.gradient.optimizer.schedule.type, null) == null ? true : try(can(regex("^\"", jsonencode(var.gradient.optimizer.schedule.type))) && contains(["Constant", "Step", "Cosine", "Linear"], var.gradient.optimizer.schedule.type), false)
    error_message = "spec.gradient.optimizer.schedule.type: found ${try(jsonencode(var.gradient.optimizer.schedule.type), "")}; write one of Constant, Step, Cosine, Linear"
  }

  validation {
    condition     = try(var.gradient.optimizer.schedule.warmupSteps, null) == null ? true : try(can(regex("^[-0-9]", jsonencode(var.gradient.optimizer.schedule.warmupSteps))) && floor(var.gradient.optimizer.schedule.warmupSteps) == var.gradient.optimizer.schedule.warmupSteps && var.gradient.optimizer.schedule.warmupSteps >= 0 && var.gradient.optimizer.schedule.warmupSteps <= 1000000000, false)
    error_message = "spec.gradient.optimizer.schedule.warmupSteps: found ${try(jsonencode(var.gradient.optimizer.schedule.warmupSteps), "")}; write a whole number from 0 to 1000000000"
  }

  validation {
    condition     = try(var.gradient.optimizer.schedule.totalSteps, null) == null ? true : try(can(regex("^[-0-9]", jsonencode(var.gradient.optimizer.schedule.totalSteps))) && floor(var.gradient.optimizer.schedule.totalSteps) == var.gradient.optimizer.schedule.totalSteps && var.gradient.optimizer.schedule.totalSteps >= 1 && var.gradient.optimizer.schedule.totalSteps <= 1000000000, false)
    error_message = "spec.gradient.optimizer.schedule.totalSteps: found ${try(jsonencode(var.gradient.optimizer.schedule.totalSteps), "")}; write a whole number from 1 to 1000000000"
  }

  validation {
    condition     = try(var.gradient.optimizer.schedule.finalFactor, null) == null ? true : try(can(regex("^[-0-9]", jsonencode(var.gradient.optimizer.schedule.finalFactor))) && var.gradient.optimizer.schedule.finalFactor >= 0 && var.gradient.optimizer.schedule.finalFactor <= 1, false)
    error_message = "spec.gradient.optimizer.schedule.finalFactor: found ${try(jsonencode(var.gradient.optimizer.schedule.finalFactor), "")}; write a number from 0 to 1"
  }

  validation {
    condition     = try(var.gradient.optimizer.schedule.stepSize, null) == null ? true : try(can(regex("^[-0-9]", jsonencode(var.gradient.optimizer.schedule.stepSize))) && floor(var.gradient.optimizer.schedule.stepSize) == var.gradient.optimizer.schedule.stepSize && var.gradient.optimizer.schedule.stepSize >= 1 && var.gradient.optimizer.schedule.stepSize <= 1000000000, false)
    error_message = "spec.gradient.optimizer.schedule.stepSize: found ${try(jsonencode(var.gradient.optimizer.schedule.stepSize), "")}; write a whole number from 1 to 1000000000"
  }

  validation {
    condition     = try(var.gradient.optimizer.schedule.gamma, null) == null ? true : try(can(regex("^[-0-9]", jsonencode(var.gradient.optimizer.schedule.gamma))) && var.gradient.optimizer.schedule.gamma > 0 && var.gradient.optimizer.schedule.gamma <= 10, false)
    error_message = "spec.gradient.optimizer.schedule.gamma: found ${try(jsonencode(var.gradient.optimizer.schedule.gamma), "")}; write a number above 0 and up to 10"
  }

  validation {
    condition     = try(var.gradient.optimizer.schedule, null) == null ? true : try((!(try(var.gradient.optimizer.schedule.totalSteps, null) != null) ? true : ((try(var.gradient.optimizer.schedule.type, null) != null) ? contains(["Cosine", "Linear"], var.gradient.optimizer.schedule.type) : false)), true)
    error_message = "spec.gradient.optimizer.schedule.totalSteps: found it with a schedule that has none; remove it, or write type: Cosine or Linear"
  }

  validation {
    condition     = try(var.gradient.optimizer.schedule, null) == null ? true : try((!(try(var.gradient.optimizer.schedule.finalFactor, null) != null) ? true : ((try(var.gradient.optimizer.schedule.type, null) != null) ? contains(["Cosine", "Linear"], var.gradient.optimizer.schedule.type) : false)), true)
    error_message = "spec.gradient.optimizer.schedule.finalFactor: found it with a schedule that has none; remove it, or write type: Cosine or Linear"
  }

  validation {
    condition     = try(var.gradient.optimizer.schedule, null) == null ? true : try((!(try(var.gradient.optimizer.schedule.stepSize, null) != null) ? true : ((try(var.gradient.optimizer.schedule.type, null) != null) ? contains(["Step"], var.gradient.optimizer.schedule.type) : false)), true)
    error_message = "spec.gradient.optimizer.schedule.stepSize: found it with a schedule that has none; remove it, or write type: Step"
  }

  validation {
    condition     = try(var.gradient.optimizer.schedule, null) == null ? true : try((!(try(var.gradient.optimizer.schedule.gamma, null) != null) ? true : ((try(var.gradient.optimizer.schedule.type, null) != null) ? contains(["Step"], var.gradient.optimizer.schedule.type) : false)), true)
    error_message = "spec.gradient.optimizer.schedule.gamma: found it with a schedule that has none; remove it, or write type: Step"
  }

  validation {
    condition     = try(var.gradient.optimizer.schedule, null) == null ? true : try((!(contains(["Cosine", "Linear"], (((try(var.gradient.optimizer.schedule.type, null) != null) ? var.gradient.optimizer.schedule.type : "Constant")))) ? true : (try(var.gradient.optimizer.schedule.totalSteps, null) != null)), true)
    error_message = "spec.gradient.optimizer.schedule.totalSteps: ${try(format("missing; type %s needs it: how many steps until the rate has fallen", tostring((((try(var.gradient.optimizer.schedule.type, null) != null) ? var.gradient.optimizer.schedule.type : "Constant")))), "")}"
  }

  validation {
    condition     = try(var.gradient.optimizer.schedule, null) == null ? true : try((!(contains(["Step"], (((try(var.gradient.optimizer.schedule.type, null) != null) ? var.gradient.optimizer.schedule.type : "Constant")))) ? true : (try(var.gradient.optimizer.schedule.stepSize, null) != null)), true)
    error_message = "spec.gradient.optimizer.schedule.stepSize: ${try(format("missing; type %s needs it: after how many steps it falls", tostring((((try(var.gradient.optimizer.schedule.type, null) != null) ? var.gradient.optimizer.schedule.type : "Constant")))), "")}"
  }

  validation {
    condition     = try(var.gradient.optimizer.schedule, null) == null ? true : try((!(contains(["Step"], (((try(var.gradient.optimizer.schedule.type, null) != null) ? var.gradient.optimizer.schedule.type : "Constant")))) ? true : (try(var.gradient.optimizer.schedule.gamma, null) != null)), true)
    error_message = "spec.gradient.optimizer.schedule.gamma: ${try(format("missing; type %s needs it: what it is multiplied by, as in 0.1", tostring((((try(var.gradient.optimizer.schedule.type, null) != null) ? var.gradient.optimizer.schedule.type : "Constant")))), "")}"
  }

  validation {
    condition     = try(var.gradient.optimizer.schedule, null) == null ? true : try(((!(try(var.gradient.optimizer.schedule.totalSteps, null) != null) ? true : !(contains(["Cosine", "Linear"], (((try(var.gradient.optimizer.schedule.type, null) != null) ? var.gradient.optimizer.schedule.type : "Constant"))))) ? true : (((try(var.gradient.optimizer.schedule.warmupSteps, null) != null) ? var.gradient.optimizer.schedule.warmupSteps : 0)) < var.gradient.optimizer.schedule.totalSteps), true)
    error_message = "spec.gradient.optimizer.schedule.warmupSteps: ${try(format("found %s, not below totalSteps of %s, so the rate would never fall; lower it or raise totalSteps", tostring((((try(var.gradient.optimizer.schedule.warmupSteps, null) != null) ? var.gradient.optimizer.schedule.warmupSteps : 0))), tostring(var.gradient.optimizer.schedule.totalSteps)), "")}"
  }

  validation {
    condition     = try(var.gradient.optimizer.clip, null) == null ? true : try(length(setsubtract(keys(var.gradient.optimizer.clip), ["norm", "value"])) == 0, false)
    error_message = "spec.gradient.optimizer.clip: found ${try(join(", ", setsubtract(keys(var.gradient.optimizer.clip), ["norm", "value"])), jsonencode(var.gradient.optimizer.clip), "")}; allowed here: norm, value"
  }

  validation {
    condition     = try(var.gradient.optimizer.clip.norm, null) == null ? true : try(can(regex("^[-0-9]", jsonencode(var.gradient.optimizer.clip.norm))) && var.gradient.optimizer.clip.norm > 0 && var.gradient.optimizer.clip.norm <= 1000000, false)
    error_message = "spec.gradient.optimizer.clip.norm: found ${try(jsonencode(var.gradient.optimizer.clip.norm), "")}; write a number above 0 and up to 1000000"
  }

  validation {
    condition     = try(var.gradient.optimizer.clip.value, null) == null ? true : try(can(regex("^[-0-9]", jsonencode(var.gradient.optimizer.clip.value))) && var.gradient.optimizer.clip.value > 0 && var.gradient.optimizer.clip.value <= 1000000, false)
    error_message = "spec.gradient.optimizer.clip.value: found ${try(jsonencode(var.gradient.optimizer.clip.value), "")}; write a number above 0 and up to 1000000"
  }

  validation {
    condition     = try(var.gradient.optimizer.clip, null) == null ? true : try((!(try(var.gradient.optimizer.clip.norm, null) != null) ? true : !(try(var.gradient.optimizer.clip.value, null) != null)), true)
    error_message = "spec.gradient.optimizer.clip: found norm and value; write one of them"
  }

  validation {
    condition     = try(var.gradient.optimizer.clip, null) == null ? true : try(((try(var.gradient.optimizer.clip.norm, null) != null) ? true : (try(var.gradient.optimizer.clip.value, null) != null)), true)
    error_message = "spec.gradient.optimizer.clip: is empty; write {norm: 1.0} or {value: 1.0}"
  }

  validation {
    condition     = try(var.gradient.optimizer.accumulate, null) == null ? true : try(can(regex("^[-0-9]", jsonencode(var.gradient.optimizer.accumulate))) && floor(var.gradient.optimizer.accumulate) == var.gradient.optimizer.accumulate && var.gradient.optimizer.accumulate >= 1 && var.gradient.optimizer.accumulate <= 100000, false)
    error_message = "spec.gradient.optimizer.accumulate: found ${try(jsonencode(var.gradient.optimizer.accumulate), "")}; write a whole number from 1 to 100000"
  }

  validation {
    condition     = try(var.gradient.optimizer, null) == null ? true : try((!(try(var.gradient.optimizer.momentum, null) != null) ? true : ((try(var.gradient.optimizer.type, null) != null) ? contains(["Momentum"], var.gradient.optimizer.type) : false)), true)
    error_message = "spec.gradient.optimizer.momentum: found it with an optimizer that has none; remove it, or write type: Momentum"
  }

  validation {
    condition     = try(var.gradient.optimizer, null) == null ? true : try((!(try(var.gradient.optimizer.nesterov, null) != null) ? true : ((try(var.gradient.optimizer.type, null) != null) ? contains(["Momentum"], var.gradient.optimizer.type) : false)), true)
    error_message = "spec.gradient.optimizer.nesterov: found it with an optimizer that has none; remove it, or write type: Momentum"
  }

  validation {
    condition     = try(var.gradient.optimizer, null) == null ? true : try((!(try(var.gradient.optimizer.beta1, null) != null) ? true : ((try(var.gradient.optimizer.type, null) != null) ? contains(["Adam", "AdamW"], var.gradient.optimizer.type) : false)), true)
    error_message = "spec.gradient.optimizer.beta1: found it with an optimizer that has none; remove it, or write type: Adam or AdamW"
  }

  validation {
    condition     = try(var.gradient.optimizer, null) == null ? true : try((!(try(var.gradient.optimizer.beta2, null) != null) ? true : ((try(var.gradient.optimizer.type, null) != null) ? contains(["Adam", "AdamW"], var.gradient.optimizer.type) : false)), true)
    error_message = "spec.gradient.optimizer.beta2: found it with an optimizer that has none; remove it, or write type: Adam or AdamW"
  }

  validation {
    condition     = try(var.gradient.optimizer, null) == null ? true : try((!(try(var.gradient.optimizer.epsilon, null) != null) ? true : ((try(var.gradient.optimizer.type, null) != null) ? contains(["Adam", "AdamW"], var.gradient.optimizer.type) : false)), true)
    error_message = "spec.gradient.optimizer.epsilon: found it with an optimizer that has none; remove it, or write type: Adam or AdamW"
  }

  validation {
    condition     = try(var.gradient.memory, null) == null ? true : try(length(setsubtract(keys(var.gradient.memory), ["strategy", "maxBytes"])) == 0, false)
    error_message = "spec.gradient.memory: found ${try(join(", ", setsubtract(keys(var.gradient.memory), ["strategy", "maxBytes"])), jsonencode(var.gradient.memory), "")}; allowed here: strategy, maxBytes"
  }

  validation {
    condition     = try(var.gradient.memory.strategy, null) == null ? true : try(can(regex("^\"", jsonencode(var.gradient.memory.strategy))) && contains(["None", "Recompute"], var.gradient.memory.strategy), false)
    error_message = "spec.gradient.memory.strategy: found ${try(jsonencode(var.gradient.memory.strategy), "")}; write one of None, Recompute"
  }

  validation {
    condition     = try(var.gradient.memory.maxBytes, null) == null ? true : try(can(regex("^[-0-9\"]", jsonencode(var.gradient.memory.maxBytes))) && ((can(regex("^(?:[0-9]{1,18}(\\.[0-9]{1,9})?([KMGT]i|[kMGT])?)$", tostring(var.gradient.memory.maxBytes))) ? (regex("^[0-9.]+", tostring(var.gradient.memory.maxBytes)) * { "" = 1, m = 0.001, k = 1000, M = 1000000, G = 1000000000, T = 1000000000000, Ki = 1024, Mi = 1048576, Gi = 1073741824, Ti = 1099511627776 }[regex("[A-Za-z]*$", tostring(var.gradient.memory.maxBytes))]) - (1 * 1048576) >= 0 : false) ? (regex("^[0-9.]+", tostring(var.gradient.memory.maxBytes)) * { "" = 1, m = 0.001, k = 1000, M = 1000000, G = 1000000000, T = 1000000000000, Ki = 1024, Mi = 1048576, Gi = 1073741824, Ti = 1099511627776 }[regex("[A-Za-z]*$", tostring(var.gradient.memory.maxBytes))]) - (16 * 1099511627776) <= 0 : false), false)
    error_message = "spec.gradient.memory.maxBytes: found ${try(jsonencode(var.gradient.memory.maxBytes), "")}; write bytes from 1Mi to 16Ti such as 512Mi or 1Gi"
  }

  validation {
    condition     = try(var.gradient, null) == null ? true : try((!(((try(var.gradient.memory, null) != null) ? (try(var.gradient.memory.maxBytes, null) != null) : false)) ? true : ((((try(var.gradient.memory, null) != null) ? (try(var.gradient.memory.strategy, null) != null) : false) ? var.gradient.memory.strategy : "None")) != "None"), true)
    error_message = "spec.gradient.memory.maxBytes: found it with strategy None; remove it, or write strategy: Recompute"
  }

  validation {
    condition     = try(length([for v in [try(var.gradient.withRespectTo, null), ["parameters"]] : v if v != null][0]) > 0, true)
    error_message = "spec.gradient.withRespectTo: found an empty list; write parameters, inputs, or names of initializers or inputs"
  }
}

variable "generation" {
  description = "Limits of text generation. For the type Generation only."
  type        = any
  default     = null

  validation {
    condition     = try(var.generation, null) == null ? true : try(length(setsubtract(keys(var.generation), ["contextLength", "maxSequences", "kvCache", "queue", "streamIdleTimeout", "objectives", "speculation", "prefill"])) == 0, false)
    error_message = "spec.generation: found ${try(join(", ", setsubtract(keys(var.generation), ["contextLength", "maxSequences", "kvCache", "queue", "streamIdleTimeout", "objectives", "speculation", "prefill"])), jsonencode(var.generation), "")}; allowed here: contextLength, maxSequences, kvCache, queue, streamIdleTimeout, objectives, speculation, prefill"
  }

  validation {
    condition     = try(var.generation.contextLength, null) == null ? true : try(can(regex("^[-0-9]", jsonencode(var.generation.contextLength))) && floor(var.generation.contextLength) == var.generation.contextLength && var.generation.contextLength >= 2 && var.generation.contextLength <= 1048576, false)
    error_message = "spec.generation.contextLength: found ${try(jsonencode(var.generation.contextLength), "")}; write a whole number from 2 to 1048576"
  }

  validation {
    condition     = try(var.generation.maxSequences, null) == null ? true : try(can(regex("^[-0-9]", jsonencode(var.generation.maxSequences))) && floor(var.generation.maxSequences) == var.generation.maxSequences && var.generation.maxSequences >= 1 && var.generation.maxSequences <= 256, false)
    error_message = "spec.generation.maxSequences: found ${try(jsonencode(var.generation.maxSequences), "")}; write a whole number from 1 to 256"
  }

  validation {
    condition     = try(var.generation.kvCache, null) == null ? true : try(length(setsubtract(keys(var.generation.kvCache), ["maxBytes", "type"])) == 0, false)
    error_message = "spec.generation.kvCache: found ${try(join(", ", setsubtract(keys(var.generation.kvCache), ["maxBytes", "type"])), jsonencode(var.generation.kvCache), "")}; allowed here: maxBytes, type"
  }

  validation {
    condition     = try(var.generation.kvCache.maxBytes, null) == null ? true : try(can(regex("^[-0-9\"]", jsonencode(var.generation.kvCache.maxBytes))) && ((can(regex("^(?:[0-9]{1,18}(\\.[0-9]{1,9})?([KMGT]i|[kMGT])?)$", tostring(var.generation.kvCache.maxBytes))) ? (regex("^[0-9.]+", tostring(var.generation.kvCache.maxBytes)) * { "" = 1, m = 0.001, k = 1000, M = 1000000, G = 1000000000, T = 1000000000000, Ki = 1024, Mi = 1048576, Gi = 1073741824, Ti = 1099511627776 }[regex("[A-Za-z]*$", tostring(var.generation.kvCache.maxBytes))]) - (64 * 1024) >= 0 : false) ? (regex("^[0-9.]+", tostring(var.generation.kvCache.maxBytes)) * { "" = 1, m = 0.001, k = 1000, M = 1000000, G = 1000000000, T = 1000000000000, Ki = 1024, Mi = 1048576, Gi = 1073741824, Ti = 1099511627776 }[regex("[A-Za-z]*$", tostring(var.generation.kvCache.maxBytes))]) - (16 * 1099511627776) <= 0 : false), false)
    error_message = "spec.generation.kvCache.maxBytes: found ${try(jsonencode(var.generation.kvCache.maxBytes), "")}; write bytes from 64Ki to 16Ti such as 512Mi or 2Gi"
  }

  validation {
    condition     = try(var.generation.kvCache.type, null) == null ? true : try(can(regex("^\"", jsonencode(var.generation.kvCache.type))) && contains(["Float32", "Int8"], var.generation.kvCache.type), false)
    error_message = "spec.generation.kvCache.type: found ${try(jsonencode(var.generation.kvCache.type), "")}; write one of Float32, Int8"
  }

  validation {
    condition     = try(var.generation.queue, null) == null ? true : try(length(setsubtract(keys(var.generation.queue), ["max", "maxWait"])) == 0, false)
    error_message = "spec.generation.queue: found ${try(join(", ", setsubtract(keys(var.generation.queue), ["max", "maxWait"])), jsonencode(var.generation.queue), "")}; allowed here: max, maxWait"
  }

  validation {
    condition     = try(var.generation.queue.max, null) == null ? true : try(can(regex("^[-0-9]", jsonencode(var.generation.queue.max))) && floor(var.generation.queue.max) == var.generation.queue.max && var.generation.queue.max >= 0 && var.generation.queue.max <= 100000, false)
    error_message = "spec.generation.queue.max: found ${try(jsonencode(var.generation.queue.max), "")}; write a whole number from 0 to 100000"
  }

  validation {
    condition     = try(var.generation.queue.maxWait, null) == null ? true : try(can(regex("^\"", jsonencode(var.generation.queue.maxWait))) && (((var.generation.queue.maxWait != "" ? can(regex("^(?:([0-9]{1,6}h)?([0-9]{1,7}m)?([0-9]{1,9}s)?([0-9]{1,12}ms)?)$", var.generation.queue.maxWait)) : false) ? (sum([for d in regexall("([0-9]+)(ms|h|m|s)", var.generation.queue.maxWait) : d[0] * { h = 3600000, m = 60000, s = 1000, ms = 1 }[d[1]]])) >= 0 : false) ? (sum([for d in regexall("([0-9]+)(ms|h|m|s)", var.generation.queue.maxWait) : d[0] * { h = 3600000, m = 60000, s = 1000, ms = 1 }[d[1]]])) <= 3600000 : false), false)
    error_message = "spec.generation.queue.maxWait: found ${try(jsonencode(var.generation.queue.maxWait), "")}; write a duration from 0s to 1h such as 30s, 10m, 1h30m or 250ms"
  }

  validation {
    condition     = try(var.generation.streamIdleTimeout, null) == null ? true : try(can(regex("^\"", jsonencode(var.generation.streamIdleTimeout))) && (((var.generation.streamIdleTimeout != "" ? can(regex("^(?:([0-9]{1,6}h)?([0-9]{1,7}m)?([0-9]{1,9}s)?([0-9]{1,12}ms)?)$", var.generation.streamIdleTimeout)) : false) ? (sum([for d in regexall("([0-9]+)(ms|h|m|s)", var.generation.streamIdleTimeout) : d[0] * { h = 3600000, m = 60000, s = 1000, ms = 1 }[d[1]]])) >= 1 : false) ? (sum([for d in regexall("([0-9]+)(ms|h|m|s)", var.generation.streamIdleTimeout) : d[0] * { h = 3600000, m = 60000, s = 1000, ms = 1 }[d[1]]])) <= 3600000 : false), false)
    error_message = "spec.generation.streamIdleTimeout: found ${try(jsonencode(var.generation.streamIdleTimeout), "")}; write a duration from 1ms to 1h such as 30s, 10m, 1h30m or 250ms"
  }

  validation {
    condition     = try(var.generation.objectives, null) == null ? true : try(length(setsubtract(keys(var.generation.objectives), ["timeToFirstToken", "timePerOutputToken"])) == 0, false)
    error_message = "spec.generation.objectives: found ${try(join(", ", setsubtract(keys(var.generation.objectives), ["timeToFirstToken", "timePerOutputToken"])), jsonencode(var.generation.objectives), "")}; allowed here: timeToFirstToken, timePerOutputToken"
  }

  validation {
    condition     = try(var.generation.objectives.timeToFirstToken, null) == null ? true : try(can(regex("^\"", jsonencode(var.generation.objectives.timeToFirstToken))) && (((var.generation.objectives.timeToFirstToken != "" ? can(regex("^(?:([0-9]{1,6}h)?([0-9]{1,7}m)?([0-9]{1,9}s)?([0-9]{1,12}ms)?)$", var.generation.objectives.timeToFirstToken)) : false) ? (sum([for d in regexall("([0-9]+)(ms|h|m|s)", var.generation.objectives.timeToFirstToken) : d[0] * { h = 3600000, m = 60000, s = 1000, ms = 1 }[d[1]]])) >= 1 : false) ? (sum([for d in regexall("([0-9]+)(ms|h|m|s)", var.generation.objectives.timeToFirstToken) : d[0] * { h = 3600000, m = 60000, s = 1000, ms = 1 }[d[1]]])) <= 3600000 : false), false)
    error_message = "spec.generation.objectives.timeToFirstToken: found ${try(jsonencode(var.generation.objectives.timeToFirstToken), "")}; write a duration from 1ms to 1h such as 30s, 10m, 1h30m or 250ms"
  }

  validation {
    condition     = try(var.generation.objectives.timePerOutputToken, null) == null ? true : try(can(regex("^\"", jsonencode(var.generation.objectives.timePerOutputToken))) && (((var.generation.objectives.timePerOutputToken != "" ? can(regex("^(?:([0-9]{1,6}h)?([0-9]{1,7}m)?([0-9]{1,9}s)?([0-9]{1,12}ms)?)$", var.generation.objectives.timePerOutputToken)) : false) ? (sum([for d in regexall("([0-9]+)(ms|h|m|s)", var.generation.objectives.timePerOutputToken) : d[0] * { h = 3600000, m = 60000, s = 1000, ms = 1 }[d[1]]])) >= 1 : false) ? (sum([for d in regexall("([0-9]+)(ms|h|m|s)", var.generation.objectives.timePerOutputToken) : d[0] * { h = 3600000, m = 60000, s = 1000, ms = 1 }[d[1]]])) <= 60000 : false), false)
    error_message = "spec.generation.objectives.timePerOutputToken: found ${try(jsonencode(var.generation.objectives.timePerOutputToken), "")}; write a duration from 1ms to 1m such as 30s, 10m, 1h30m or 250ms"
  }

  validation {
    condition     = try(var.generation.speculation, null) == null ? true : try(length(setsubtract(keys(var.generation.speculation), ["type", "maxTokens", "model"])) == 0, false)
    error_message = "spec.generation.speculation: found ${try(join(", ", setsubtract(keys(var.generation.speculation), ["type", "maxTokens", "model"])), jsonencode(var.generation.speculation), "")}; allowed here: type, maxTokens, model"
  }

  validation {
    condition     = try(var.generation.speculation.type, null) == null ? true : try(can(regex("^\"", jsonencode(var.generation.speculation.type))) && contains(["None", "PromptLookup", "Draft"], var.generation.speculation.type), false)
    error_message = "spec.generation.speculation.type: found ${try(jsonencode(var.generation.speculation.type), "")}; write one of None, PromptLookup, Draft"
  }

  validation {
    condition     = try(var.generation.speculation.maxTokens, null) == null ? true : try(can(regex("^[-0-9]", jsonencode(var.generation.speculation.maxTokens))) && floor(var.generation.speculation.maxTokens) == var.generation.speculation.maxTokens && var.generation.speculation.maxTokens >= 1 && var.generation.speculation.maxTokens <= 16, false)
    error_message = "spec.generation.speculation.maxTokens: found ${try(jsonencode(var.generation.speculation.maxTokens), "")}; write a whole number from 1 to 16"
  }

  validation {
    condition     = try(var.generation.speculation.model, null) == null ? true : try(can(regex("^\"", jsonencode(var.generation.speculation.model))) && can(regex("^(?:(\\./)?[A-Za-z0-9_+-][A-Za-z0-9_.+-]*(/[A-Za-z0-9_+-][A-Za-z0-9_.+-]*)*/?)$", var.generation.speculation.model)), false)
    error_message = "spec.generation.speculation.model: found ${try(jsonencode(var.generation.speculation.model), "")}; write a folder below that of this file, such as ./small/: names of A-Z, a-z, 0-9, _, ., + and -, none with a dot first; no address such as s3://bucket/small/"
  }

  validation {
    condition     = try(var.generation.prefill, null) == null ? true : try(length(setsubtract(keys(var.generation.prefill), ["function"])) == 0, false)
    error_message = "spec.generation.prefill: found ${try(join(", ", setsubtract(keys(var.generation.prefill), ["function"])), jsonencode(var.generation.prefill), "")}; allowed here: function"
  }

  validation {
    condition     = try(var.generation.prefill, null) == null ? true : try(try(var.generation.prefill.function, null) != null, false)
    error_message = "spec.generation.prefill.function: missing; write it"
  }

  validation {
    condition     = try(var.generation.prefill.function, null) == null ? true : try(can(regex("^\"", jsonencode(var.generation.prefill.function))) && can(regex("^(?:[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?)$", var.generation.prefill.function)), false)
    error_message = "spec.generation.prefill.function: found ${try(jsonencode(var.generation.prefill.function), "")}; write a DNS label: 1 to 63 of a-z, 0-9 and -, starting and ending with a letter or digit"
  }

  validation {
    condition     = try((!((((try(var.generation, null) != null) ? (try(var.generation.speculation, null) != null) : false) ? (try(var.generation.speculation.maxTokens, null) != null) : false)) ? true : (((((try(var.generation, null) != null) ? (try(var.generation.speculation, null) != null) : false) ? (try(var.generation.speculation.type, null) != null) : false) ? var.generation.speculation.type : "None")) != "None"), true)
    error_message = "spec.generation.speculation.maxTokens: found it with type None, which drafts no tokens; remove it, or write type: PromptLookup or Draft"
  }

  validation {
    condition     = try(((((((try(var.generation, null) != null) ? (try(var.generation.speculation, null) != null) : false) ? (try(var.generation.speculation.type, null) != null) : false) ? var.generation.speculation.type : "None")) != "Draft" ? true : (((try(var.generation, null) != null) ? (try(var.generation.speculation, null) != null) : false) ? (try(var.generation.speculation.model, null) != null) : false)), true)
    error_message = "spec.generation.speculation.model: missing, but type Draft needs it; write the folder of a small model with the same tokenizer, such as ./small/"
  }

  validation {
    condition     = try((!((((try(var.generation, null) != null) ? (try(var.generation.speculation, null) != null) : false) ? (try(var.generation.speculation.model, null) != null) : false)) ? true : (((((try(var.generation, null) != null) ? (try(var.generation.speculation, null) != null) : false) ? (try(var.generation.speculation.type, null) != null) : false) ? var.generation.speculation.type : "None")) == "Draft"), true)
    error_message = "spec.generation.speculation.model: ${try(format("found it with type %s, which has no model of its own; remove it, or write type: Draft", tostring((((((try(var.generation, null) != null) ? (try(var.generation.speculation, null) != null) : false) ? (try(var.generation.speculation.type, null) != null) : false) ? var.generation.speculation.type : "None")))), "")}"
  }
}

variable "quantize" {
  description = "Whether weights, and for Inference activations too, become integers. For Inference, Generation and Encoder."
  type        = any
  default     = null

  validation {
    condition     = try(var.quantize, null) == null ? true : try(length(setsubtract(keys(var.quantize), ["type", "blockSize", "calibration"])) == 0, false)
    error_message = "spec.quantize: found ${try(join(", ", setsubtract(keys(var.quantize), ["type", "blockSize", "calibration"])), jsonencode(var.quantize), "")}; allowed here: type, blockSize, calibration"
  }

  validation {
    condition     = try(var.quantize.type, null) == null ? true : try(can(regex("^\"", jsonencode(var.quantize.type))) && contains(["None", "Dynamic", "Static", "Int8", "Int4", "Float16"], var.quantize.type), false)
    error_message = "spec.quantize.type: found ${try(jsonencode(var.quantize.type), "")}; write one of None, Dynamic, Static, Int8, Int4, Float16"
  }

  validation {
    condition     = try(var.quantize.blockSize, null) == null ? true : try(can(regex("^[-0-9]", jsonencode(var.quantize.blockSize))) && floor(var.quantize.blockSize) == var.quantize.blockSize && var.quantize.blockSize >= 16 && var.quantize.blockSize <= 256, false)
    error_message = "spec.quantize.blockSize: found ${try(jsonencode(var.quantize.blockSize), "")}; write a whole number from 16 to 256"
  }

  validation {
    condition     = try(var.quantize.calibration, null) == null ? true : try(can(regex("^\"", jsonencode(var.quantize.calibration))) && length(var.quantize.calibration) <= 1024, false)
    error_message = "spec.quantize.calibration: found ${try(jsonencode(var.quantize.calibration), "")}; write a text"
  }

  validation {
    condition     = try(var.quantize.calibration, null) == null ? true : try((can(regex("^[A-Za-z][A-Za-z0-9+.-]*:", var.quantize.calibration)) ? !startswith(var.quantize.calibration, "file:") : false), true)
    error_message = "spec.quantize.calibration: found a path, and kubectl sends no files; write s3://bucket/key, or sha256: and the digest of an uploaded file, or let the command line send it: ./knabla deploy -f function.yaml --context NAME"
  }

  validation {
    condition     = try(var.quantize.calibration, null) == null ? true : try(((startswith(var.quantize.calibration, "file:") ? true : !can(regex("^[A-Za-z][A-Za-z0-9+.-]*:", var.quantize.calibration))) ? true : (can(regex("^(?:sha256:[0-9a-f]{64}|s3://[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]/.*[^/]/?|https://[^/\\s]+/\\S+)$", var.quantize.calibration)) ? !can(regex("[\\x00-\\x1f\\x7f-\\x9f]", var.quantize.calibration)) : false)), true)
    error_message = "spec.quantize.calibration: write s3://bucket/key, or sha256: and 64 lower-case hex digits"
  }

  validation {
    condition     = try((((((try(var.quantize, null) != null) ? (try(var.quantize.type, null) != null) : false) ? var.quantize.type : "None")) != "Static" ? true : (((try(var.quantize, null) != null) ? (try(var.quantize.calibration, null) != null) : false))), true)
    error_message = "spec.quantize.calibration: missing; type Static measures activations with it, write a file of requests"
  }

  validation {
    condition     = try((contains(["Static", "Float16"], ((((try(var.quantize, null) != null) ? (try(var.quantize.type, null) != null) : false) ? var.quantize.type : "None"))) ? true : !(((try(var.quantize, null) != null) ? (try(var.quantize.calibration, null) != null) : false))), true)
    error_message = "spec.quantize.calibration: ${try(format("found it with type %s, which measures nothing; remove it, or write type: Static or Float16", tostring(((((try(var.quantize, null) != null) ? (try(var.quantize.type, null) != null) : false) ? var.quantize.type : "None")))), "")}"
  }

  validation {
    condition     = try((!(((try(var.quantize, null) != null) ? (try(var.quantize.blockSize, null) != null) : false)) ? true : contains(["Int8", "Int4"], ((((try(var.quantize, null) != null) ? (try(var.quantize.type, null) != null) : false) ? var.quantize.type : "None")))), true)
    error_message = "spec.quantize.blockSize: ${try(format("found it with type %s, which has no blocks; remove it, or write type: Int8 or Int4", tostring(((((try(var.quantize, null) != null) ? (try(var.quantize.type, null) != null) : false) ? var.quantize.type : "None")))), "")}"
  }

  validation {
    condition     = try((!(((try(var.quantize, null) != null) ? (try(var.quantize.blockSize, null) != null) : false)) ? true : contains([16, 32, 64, 128, 256], var.quantize.blockSize)), true)
    error_message = "spec.quantize.blockSize: ${try(format("found %s; write 16, 32, 64, 128 or 256", tostring(var.quantize.blockSize)), "")}"
  }
}

variable "resources" {
  description = "Resources of one replica."
  type        = any
  default     = null

  validation {
    condition     = try(var.resources, null) == null ? true : try(length(setsubtract(keys(var.resources), ["cpu", "memory", "gpu"])) == 0, false)
    error_message = "spec.resources: found ${try(join(", ", setsubtract(keys(var.resources), ["cpu", "memory", "gpu"])), jsonencode(var.resources), "")}; allowed here: cpu, memory, gpu"
  }

  validation {
    condition     = try(var.resources.cpu, null) == null ? true : try(can(regex("^[-0-9\"]", jsonencode(var.resources.cpu))) && (var.resources.cpu == "auto" ? true : ((can(regex("^(?:[0-9]{1,18}(\\.[0-9]{1,3}0{0,6})?|[0-9]{1,18}(\\.0{1,9})?m)$", tostring(var.resources.cpu))) ? (regex("^[0-9.]+", tostring(var.resources.cpu)) * { "" = 1, m = 0.001, k = 1000, M = 1000000, G = 1000000000, T = 1000000000000, Ki = 1024, Mi = 1048576, Gi = 1073741824, Ti = 1099511627776 }[regex("[A-Za-z]*$", tostring(var.resources.cpu))]) - (10 * 0.001) >= 0 : false) ? (regex("^[0-9.]+", tostring(var.resources.cpu)) * { "" = 1, m = 0.001, k = 1000, M = 1000000, G = 1000000000, T = 1000000000000, Ki = 1024, Mi = 1048576, Gi = 1073741824, Ti = 1099511627776 }[regex("[A-Za-z]*$", tostring(var.resources.cpu))]) - 1024 <= 0 : false)), false)
    error_message = "spec.resources.cpu: found ${try(jsonencode(var.resources.cpu), "")}; write cores from 10m to 1024 such as 500m or 2, or auto"
  }

  validation {
    condition     = try(var.resources.memory, null) == null ? true : try(can(regex("^[-0-9\"]", jsonencode(var.resources.memory))) && (var.resources.memory == "auto" ? true : ((can(regex("^(?:[0-9]{1,18}(\\.[0-9]{1,9})?([KMGT]i|[kMGT])?)$", tostring(var.resources.memory))) ? (regex("^[0-9.]+", tostring(var.resources.memory)) * { "" = 1, m = 0.001, k = 1000, M = 1000000, G = 1000000000, T = 1000000000000, Ki = 1024, Mi = 1048576, Gi = 1073741824, Ti = 1099511627776 }[regex("[A-Za-z]*$", tostring(var.resources.memory))]) - (64 * 1048576) >= 0 : false) ? (regex("^[0-9.]+", tostring(var.resources.memory)) * { "" = 1, m = 0.001, k = 1000, M = 1000000, G = 1000000000, T = 1000000000000, Ki = 1024, Mi = 1048576, Gi = 1073741824, Ti = 1099511627776 }[regex("[A-Za-z]*$", tostring(var.resources.memory))]) - (16 * 1099511627776) <= 0 : false)), false)
    error_message = "spec.resources.memory: found ${try(jsonencode(var.resources.memory), "")}; write bytes from 64Mi to 16Ti such as 512Mi or 1Gi, or auto"
  }

  validation {
    condition     = try(var.resources.gpu, null) == null ? true : try(can(regex("^[-0-9]", jsonencode(var.resources.gpu))) && var.resources.gpu >= 0 && var.resources.gpu <= 16, false)
    error_message = "spec.resources.gpu: found ${try(jsonencode(var.resources.gpu), "")}; write a number from 0 to 16"
  }

  validation {
    condition     = try(contains([0.125, 0.2, 0.25, 0.5, 0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0], ((((try(var.resources, null) != null) ? (try(var.resources.gpu, null) != null) : false) ? var.resources.gpu : 0.0))), true)
    error_message = "spec.resources.gpu: ${try(format("found %s; write a whole number of GPUs up to 16, or a share of one: 0.5, 0.25, 0.2 or 0.125", tostring(((((try(var.resources, null) != null) ? (try(var.resources.gpu, null) != null) : false) ? var.resources.gpu : 0.0)))), "")}"
  }
}

variable "placement" {
  description = "Which hardware, and how it is paid for."
  type        = any
  default     = null

  validation {
    condition     = try(var.placement, null) == null ? true : try(length(setsubtract(keys(var.placement), ["pool", "capacity", "onDemandBase", "policy"])) == 0, false)
    error_message = "spec.placement: found ${try(join(", ", setsubtract(keys(var.placement), ["pool", "capacity", "onDemandBase", "policy"])), jsonencode(var.placement), "")}; allowed here: pool, capacity, onDemandBase, policy"
  }

  validation {
    condition     = try(var.placement.pool, null) == null ? true : try(can(regex("^\"", jsonencode(var.placement.pool))) && contains(["auto", "cpu", "gpu"], var.placement.pool), false)
    error_message = "spec.placement.pool: found ${try(jsonencode(var.placement.pool), "")}; write one of auto, cpu, gpu"
  }

  validation {
    condition     = try(var.placement.capacity, null) == null ? true : try(can(regex("^\"", jsonencode(var.placement.capacity))) && contains(["Spot", "OnDemand", "Mixed"], var.placement.capacity), false)
    error_message = "spec.placement.capacity: found ${try(jsonencode(var.placement.capacity), "")}; write one of Spot, OnDemand, Mixed"
  }

  validation {
    condition     = try(var.placement.onDemandBase, null) == null ? true : try(can(regex("^[-0-9]", jsonencode(var.placement.onDemandBase))) && floor(var.placement.onDemandBase) == var.placement.onDemandBase && var.placement.onDemandBase >= 0 && var.placement.onDemandBase <= 1000, false)
    error_message = "spec.placement.onDemandBase: found ${try(jsonencode(var.placement.onDemandBase), "")}; write a whole number from 0 to 1000"
  }

  validation {
    condition     = try(var.placement.policy, null) == null ? true : try(can(regex("^\"", jsonencode(var.placement.policy))) && contains(["OnDemandOnly", "SpotOnly", "StaticMix", "SpotHedge", "Adaptive"], var.placement.policy), false)
    error_message = "spec.placement.policy: found ${try(jsonencode(var.placement.policy), "")}; write one of OnDemandOnly, SpotOnly, StaticMix, SpotHedge, Adaptive"
  }

  validation {
    condition     = try((((((try(var.placement, null) != null) ? (try(var.placement.onDemandBase, null) != null) : false) ? var.placement.onDemandBase : 0)) == 0 ? true : ((((try(var.placement, null) != null) ? (try(var.placement.capacity, null) != null) : false) ? var.placement.capacity : "Mixed")) != "Spot"), true)
    error_message = "spec.placement.onDemandBase: ${try(format("found %s, but spec.placement.capacity Spot has no on-demand replicas; write capacity: Mixed, or 0", tostring(((((try(var.placement, null) != null) ? (try(var.placement.onDemandBase, null) != null) : false) ? var.placement.onDemandBase : 0)))), "")}"
  }

  validation {
    condition     = try((((((try(var.placement, null) != null) ? (try(var.placement.policy, null) != null) : false) ? var.placement.policy : "Adaptive")) == "Adaptive" ? true : ((((try(var.placement, null) != null) ? (try(var.placement.capacity, null) != null) : false) ? var.placement.capacity : "Mixed")) == "Mixed"), true)
    error_message = "spec.placement.policy: ${try(format("found %s, but a policy chooses between spot and on-demand capacity; write capacity: Mixed, or leave policy out", tostring(((((try(var.placement, null) != null) ? (try(var.placement.policy, null) != null) : false) ? var.placement.policy : "Adaptive")))), "")}"
  }
}

variable "scaling" {
  description = "Bounds and target of the autoscaler."
  type        = any
  default     = null

  validation {
    condition     = try(var.scaling, null) == null ? true : try(length(setsubtract(keys(var.scaling), ["min", "max", "concurrency", "targetUtilization", "idleAfter"])) == 0, false)
    error_message = "spec.scaling: found ${try(join(", ", setsubtract(keys(var.scaling), ["min", "max", "concurrency", "targetUtilization", "idleAfter"])), jsonencode(var.scaling), "")}; allowed here: min, max, concurrency, targetUtilization, idleAfter"
  }

  validation {
    condition     = try(var.scaling.min, null) == null ? true : try(can(regex("^[-0-9]", jsonencode(var.scaling.min))) && floor(var.scaling.min) == var.scaling.min && var.scaling.min >= 0 && var.scaling.min <= 1000, false)
    error_message = "spec.scaling.min: found ${try(jsonencode(var.scaling.min), "")}; write a whole number from 0 to 1000"
  }

  validation {
    condition     = try(var.scaling.max, null) == null ? true : try(can(regex("^[-0-9]", jsonencode(var.scaling.max))) && floor(var.scaling.max) == var.scaling.max && var.scaling.max >= 1 && var.scaling.max <= 1000, false)
    error_message = "spec.scaling.max: found ${try(jsonencode(var.scaling.max), "")}; write a whole number from 1 to 1000"
  }

  validation {
    condition     = try(var.scaling.concurrency, null) == null ? true : try(can(regex("^[-0-9]", jsonencode(var.scaling.concurrency))) && floor(var.scaling.concurrency) == var.scaling.concurrency && var.scaling.concurrency >= 1 && var.scaling.concurrency <= 1000, false)
    error_message = "spec.scaling.concurrency: found ${try(jsonencode(var.scaling.concurrency), "")}; write a whole number from 1 to 1000"
  }

  validation {
    condition     = try(var.scaling.targetUtilization, null) == null ? true : try(can(regex("^[-0-9]", jsonencode(var.scaling.targetUtilization))) && var.scaling.targetUtilization > 0 && var.scaling.targetUtilization <= 1, false)
    error_message = "spec.scaling.targetUtilization: found ${try(jsonencode(var.scaling.targetUtilization), "")}; write a number above 0 and up to 1"
  }

  validation {
    condition     = try(var.scaling.idleAfter, null) == null ? true : try(can(regex("^\"", jsonencode(var.scaling.idleAfter))) && (((var.scaling.idleAfter != "" ? can(regex("^(?:([0-9]{1,6}h)?([0-9]{1,7}m)?([0-9]{1,9}s)?([0-9]{1,12}ms)?)$", var.scaling.idleAfter)) : false) ? (sum([for d in regexall("([0-9]+)(ms|h|m|s)", var.scaling.idleAfter) : d[0] * { h = 3600000, m = 60000, s = 1000, ms = 1 }[d[1]]])) >= 0 : false) ? (sum([for d in regexall("([0-9]+)(ms|h|m|s)", var.scaling.idleAfter) : d[0] * { h = 3600000, m = 60000, s = 1000, ms = 1 }[d[1]]])) <= 604800000 : false), false)
    error_message = "spec.scaling.idleAfter: found ${try(jsonencode(var.scaling.idleAfter), "")}; write a duration from 0s to 168h such as 30s, 10m, 1h30m or 250ms"
  }
}

variable "keepWarm" {
  description = "When to keep replicas running without requests."
  type        = any
  default     = null

  validation {
    condition     = try(var.keepWarm, null) == null ? true : try(length(setsubtract(keys(var.keepWarm), ["policy", "idleTimeout", "coldStartCost", "schedule"])) == 0, false)
    error_message = "spec.keepWarm: found ${try(join(", ", setsubtract(keys(var.keepWarm), ["policy", "idleTimeout", "coldStartCost", "schedule"])), jsonencode(var.keepWarm), "")}; allowed here: policy, idleTimeout, coldStartCost, schedule"
  }

  validation {
    condition     = try(var.keepWarm.policy, null) == null ? true : try(can(regex("^\"", jsonencode(var.keepWarm.policy))) && contains(["Adaptive", "Fixed", "Always", "Never"], var.keepWarm.policy), false)
    error_message = "spec.keepWarm.policy: found ${try(jsonencode(var.keepWarm.policy), "")}; write one of Adaptive, Fixed, Always, Never"
  }

  validation {
    condition     = try(var.keepWarm.idleTimeout, null) == null ? true : try(can(regex("^\"", jsonencode(var.keepWarm.idleTimeout))) && (((var.keepWarm.idleTimeout != "" ? can(regex("^(?:([0-9]{1,6}h)?([0-9]{1,7}m)?([0-9]{1,9}s)?([0-9]{1,12}ms)?)$", var.keepWarm.idleTimeout)) : false) ? (sum([for d in regexall("([0-9]+)(ms|h|m|s)", var.keepWarm.idleTimeout) : d[0] * { h = 3600000, m = 60000, s = 1000, ms = 1 }[d[1]]])) >= 1 : false) ? (sum([for d in regexall("([0-9]+)(ms|h|m|s)", var.keepWarm.idleTimeout) : d[0] * { h = 3600000, m = 60000, s = 1000, ms = 1 }[d[1]]])) <= 604800000 : false), false)
    error_message = "spec.keepWarm.idleTimeout: found ${try(jsonencode(var.keepWarm.idleTimeout), "")}; write a duration from 1ms to 168h such as 30s, 10m, 1h30m or 250ms"
  }

  validation {
    condition     = try(var.keepWarm.coldStartCost, null) == null ? true : try(can(regex("^[-0-9]", jsonencode(var.keepWarm.coldStartCost))) && var.keepWarm.coldStartCost >= 0 && var.keepWarm.coldStartCost <= 1000, false)
    error_message = "spec.keepWarm.coldStartCost: found ${try(jsonencode(var.keepWarm.coldStartCost), "")}; write a number from 0 to 1000"
  }

  validation {
    condition     = try(var.keepWarm.schedule, null) == null ? true : try(can(regex("^\\[", jsonencode(var.keepWarm.schedule))) && length(var.keepWarm.schedule) <= 50, false)
    error_message = "spec.keepWarm.schedule: found ${try(jsonencode(var.keepWarm.schedule), "")}; write a list of at most 50"
  }

  validation {
    condition     = alltrue(try([for item0 in var.keepWarm.schedule : try(item0, null) == null ? true : try(length(setsubtract(keys(item0), ["cron", "timezone", "duration", "min"])) == 0, false)], []))
    error_message = "spec.keepWarm.schedule[]: allowed here: cron, timezone, duration, min"
  }

  validation {
    condition     = alltrue(try([for item0 in var.keepWarm.schedule : try(item0, null) == null ? true : try(try(item0.cron, null) != null, false)], []))
    error_message = "spec.keepWarm.schedule[].cron: missing; write it"
  }

  validation {
    condition     = alltrue(try([for item0 in var.keepWarm.schedule : try(item0, null) == null ? true : try(try(item0.duration, null) != null, false)], []))
    error_message = "spec.keepWarm.schedule[].duration: missing; write it"
  }

  validation {
    condition     = alltrue(try([for item0 in var.keepWarm.schedule : try(item0.cron, null) == null ? true : try(can(regex("^\"", jsonencode(item0.cron))) && can(regex("^(?:\\S+( +\\S+){4})$", item0.cron)), false)], []))
    error_message = "spec.keepWarm.schedule[].cron: write five cron fields, minute hour day month weekday, such as 0 8 * * 1-5"
  }

  validation {
    condition     = alltrue(try([for item0 in var.keepWarm.schedule : try(item0.timezone, null) == null ? true : try(can(regex("^\"", jsonencode(item0.timezone))) && can(regex("^(?:[A-Za-z0-9+:/_.-]+)$", item0.timezone)), false)], []))
    error_message = "spec.keepWarm.schedule[].timezone: write a time zone such as Europe/Berlin or UTC"
  }

  validation {
    condition     = alltrue(try([for item0 in var.keepWarm.schedule : try(item0.duration, null) == null ? true : try(can(regex("^\"", jsonencode(item0.duration))) && (((item0.duration != "" ? can(regex("^(?:([0-9]{1,6}h)?([0-9]{1,7}m)?([0-9]{1,9}s)?([0-9]{1,12}ms)?)$", item0.duration)) : false) ? (sum([for d in regexall("([0-9]+)(ms|h|m|s)", item0.duration) : d[0] * { h = 3600000, m = 60000, s = 1000, ms = 1 }[d[1]]])) >= 60000 : false) ? (sum([for d in regexall("([0-9]+)(ms|h|m|s)", item0.duration) : d[0] * { h = 3600000, m = 60000, s = 1000, ms = 1 }[d[1]]])) <= 604800000 : false), false)], []))
    error_message = "spec.keepWarm.schedule[].duration: write a duration from 1m to 168h such as 30s, 10m, 1h30m or 250ms"
  }

  validation {
    condition     = alltrue(try([for item0 in var.keepWarm.schedule : try(item0.min, null) == null ? true : try(can(regex("^[-0-9]", jsonencode(item0.min))) && floor(item0.min) == item0.min && item0.min >= 1 && item0.min <= 1000, false)], []))
    error_message = "spec.keepWarm.schedule[].min: write a whole number from 1 to 1000"
  }

  validation {
    condition     = try((((((try(var.keepWarm, null) != null) ? (try(var.keepWarm.policy, null) != null) : false) ? var.keepWarm.policy : "Adaptive")) != "Fixed" ? true : ((try(var.keepWarm, null) != null) ? (try(var.keepWarm.idleTimeout, null) != null) : false)), true)
    error_message = "spec.keepWarm.idleTimeout: missing; policy Fixed keeps a replica for exactly that long, write idleTimeout: 10m or another duration"
  }
}

variable "batching" {
  description = "Joining requests into one run of the model. For Inference only."
  type        = any
  default     = null

  validation {
    condition     = try(var.batching, null) == null ? true : try(length(setsubtract(keys(var.batching), ["maxSize", "maxDelay"])) == 0, false)
    error_message = "spec.batching: found ${try(join(", ", setsubtract(keys(var.batching), ["maxSize", "maxDelay"])), jsonencode(var.batching), "")}; allowed here: maxSize, maxDelay"
  }

  validation {
    condition     = try(var.batching.maxSize, null) == null ? true : try(can(regex("^[-0-9]", jsonencode(var.batching.maxSize))) && floor(var.batching.maxSize) == var.batching.maxSize && var.batching.maxSize >= 1 && var.batching.maxSize <= 1024, false)
    error_message = "spec.batching.maxSize: found ${try(jsonencode(var.batching.maxSize), "")}; write a whole number from 1 to 1024"
  }

  validation {
    condition     = try(var.batching.maxDelay, null) == null ? true : try(can(regex("^\"", jsonencode(var.batching.maxDelay))) && (((var.batching.maxDelay != "" ? can(regex("^(?:([0-9]{1,6}h)?([0-9]{1,7}m)?([0-9]{1,9}s)?([0-9]{1,12}ms)?)$", var.batching.maxDelay)) : false) ? (sum([for d in regexall("([0-9]+)(ms|h|m|s)", var.batching.maxDelay) : d[0] * { h = 3600000, m = 60000, s = 1000, ms = 1 }[d[1]]])) >= 0 : false) ? (sum([for d in regexall("([0-9]+)(ms|h|m|s)", var.batching.maxDelay) : d[0] * { h = 3600000, m = 60000, s = 1000, ms = 1 }[d[1]]])) <= 10000 : false), false)
    error_message = "spec.batching.maxDelay: found ${try(jsonencode(var.batching.maxDelay), "")}; write a duration from 0s to 10s such as 30s, 10m, 1h30m or 250ms"
  }
}

variable "timeout" {
  description = "How long one request may take, including the start of a replica; default 30s, for Generation 90s, within which a text must begin. Allowed: a duration from 1ms to 1h such as 30s, 10m, 1h30m or 250ms."
  type        = string
  default     = null

  validation {
    condition     = try(var.timeout, null) == null ? true : try(can(regex("^\"", jsonencode(var.timeout))) && (((var.timeout != "" ? can(regex("^(?:([0-9]{1,6}h)?([0-9]{1,7}m)?([0-9]{1,9}s)?([0-9]{1,12}ms)?)$", var.timeout)) : false) ? (sum([for d in regexall("([0-9]+)(ms|h|m|s)", var.timeout) : d[0] * { h = 3600000, m = 60000, s = 1000, ms = 1 }[d[1]]])) >= 1 : false) ? (sum([for d in regexall("([0-9]+)(ms|h|m|s)", var.timeout) : d[0] * { h = 3600000, m = 60000, s = 1000, ms = 1 }[d[1]]])) <= 3600000 : false), false)
    error_message = "spec.timeout: found ${try(jsonencode(var.timeout), "")}; write a duration from 1ms to 1h such as 30s, 10m, 1h30m or 250ms"
  }
}

variable "traffic" {
  description = "Share of the requests that each version gets; if empty, all go to the newest ready version. Percentages add up to 100."
  type        = any
  default     = null

  validation {
    condition     = try(var.traffic, null) == null ? true : try(can(regex("^\\[", jsonencode(var.traffic))) && length(var.traffic) <= 20, false)
    error_message = "spec.traffic: found ${try(jsonencode(var.traffic), "")}; write a list of at most 20"
  }

  validation {
    condition     = alltrue(try([for item0 in var.traffic : try(item0, null) == null ? true : try(length(setsubtract(keys(item0), ["version", "latest", "percent", "tag"])) == 0, false)], []))
    error_message = "spec.traffic[]: allowed here: version, latest, percent, tag"
  }

  validation {
    condition     = alltrue(try([for item0 in var.traffic : try(item0, null) == null ? true : try(try(item0.percent, null) != null, false)], []))
    error_message = "spec.traffic[].percent: missing; write it"
  }

  validation {
    condition     = alltrue(try([for item0 in var.traffic : try(item0.version, null) == null ? true : try(can(regex("^[-0-9]", jsonencode(item0.version))) && floor(item0.version) == item0.version && item0.version >= 1 && item0.version <= 2147483647, false)], []))
    error_message = "spec.traffic[].version: write a whole number from 1 to 2147483647"
  }

  validation {
    condition     = alltrue(try([for item0 in var.traffic : try(item0.latest, null) == null ? true : try(can(regex("^(true|false)$", jsonencode(item0.latest))), false)], []))
    error_message = "spec.traffic[].latest: write true or false"
  }

  validation {
    condition     = alltrue(try([for item0 in var.traffic : try(item0.percent, null) == null ? true : try(can(regex("^[-0-9]", jsonencode(item0.percent))) && floor(item0.percent) == item0.percent && item0.percent >= 0 && item0.percent <= 100, false)], []))
    error_message = "spec.traffic[].percent: write a whole number from 0 to 100"
  }

  validation {
    condition     = alltrue(try([for item0 in var.traffic : try(item0.tag, null) == null ? true : try(can(regex("^\"", jsonencode(item0.tag))) && can(regex("^(?:[a-z]([-a-z0-9]{0,18}[a-z0-9])?)$", item0.tag)), false)], []))
    error_message = "spec.traffic[].tag: write a tag of at most 20 lower-case letters, digits and hyphens, starting with a letter, such as canary"
  }

  validation {
    condition     = try((length([for v in [try(var.traffic, null), []] : v if v != null][0]) == 0 ? true : sum([for t in [for v in [try(var.traffic, null), []] : v if v != null][0] : t.percent]) == 100), true)
    error_message = "spec.traffic: ${try(format("found percentages that add up to %s; make them add up to 100", tostring(sum([for t in [for v in [try(var.traffic, null), []] : v if v != null][0] : t.percent]))), "")}"
  }

  validation {
    condition     = try((!(try(var.traffic, null) != null) ? true : alltrue([for t in var.traffic : (length([for u in var.traffic : u if((((try(t.version, null) != null) ? t.version : 0)) == (((try(u.version, null) != null) ? u.version : 0)) ? (((try(t.tag, null) != null) ? t.tag : "")) == (((try(u.tag, null) != null) ? u.tag : "")) : false)]) == 1)])), true)
    error_message = "spec.traffic: found a version more than once; add its percentages up in one entry"
  }

  validation {
    condition     = try(alltrue([for t in [for v in [try(var.traffic, null), []] : v if v != null][0] : (try(t.version, null) != null) != (((try(t.latest, null) != null) ? t.latest : false))]), true)
    error_message = "spec.traffic: found an entry that names no version, or one twice; write version: N, or latest: true"
  }

  validation {
    condition     = try((!(try(var.traffic, null) != null) ? true : alltrue([for t in var.traffic : (!(try(t.tag, null) != null) ? true : (length([for u in var.traffic : u if((try(u.tag, null) != null) ? u.tag == t.tag : false)]) == 1))])), true)
    error_message = "spec.traffic: found a tag more than once; give each entry its own"
  }
}

locals {
  spec = { for key, value in {
    type           = var.type
    model          = var.model
    externalData   = var.externalData
    servedName     = var.servedName
    grpc           = var.grpc
    shapes         = var.shapes
    optionalInputs = var.optionalInputs
    gradient       = var.gradient
    generation     = var.generation
    quantize       = var.quantize
    resources      = var.resources
    placement      = var.placement
    scaling        = var.scaling
    keepWarm       = var.keepWarm
    batching       = var.batching
    timeout        = var.timeout
    traffic        = var.traffic
  } : key => value if value != null }

  faults = compact([
    try(((((try(var.scaling, null) != null) ? (try(var.scaling.min, null) != null) : false) ? var.scaling.min : 0)) <= ((((try(var.scaling, null) != null) ? (try(var.scaling.max, null) != null) : false) ? var.scaling.max : ((((try(var.type, null) != null) ? var.type : "Inference")) == "TrainingStep" ? 1 : 10))), true) ? "" : "spec.scaling.min: ${try(format("found %s, above spec.scaling.max of %s; lower min or raise max", tostring(((((try(var.scaling, null) != null) ? (try(var.scaling.min, null) != null) : false) ? var.scaling.min : 0))), tostring(((((try(var.scaling, null) != null) ? (try(var.scaling.max, null) != null) : false) ? var.scaling.max : ((((try(var.type, null) != null) ? var.type : "Inference")) == "TrainingStep" ? 1 : 10))))), "")}",
    try(((((try(var.placement, null) != null) ? (try(var.placement.onDemandBase, null) != null) : false) ? var.placement.onDemandBase : 0)) <= ((((try(var.scaling, null) != null) ? (try(var.scaling.max, null) != null) : false) ? var.scaling.max : ((((try(var.type, null) != null) ? var.type : "Inference")) == "TrainingStep" ? 1 : 10))), true) ? "" : "spec.placement.onDemandBase: ${try(format("found %s, above spec.scaling.max of %s; lower it or raise max", tostring(((((try(var.placement, null) != null) ? (try(var.placement.onDemandBase, null) != null) : false) ? var.placement.onDemandBase : 0))), tostring(((((try(var.scaling, null) != null) ? (try(var.scaling.max, null) != null) : false) ? var.scaling.max : ((((try(var.type, null) != null) ? var.type : "Inference")) == "TrainingStep" ? 1 : 10))))), "")}",
    try((((((try(var.resources, null) != null) ? (try(var.resources.gpu, null) != null) : false) ? var.resources.gpu : 0.0)) == 0.0 ? true : ((((try(var.placement, null) != null) ? (try(var.placement.pool, null) != null) : false) ? var.placement.pool : "auto")) != "cpu"), true) ? "" : "spec.resources.gpu: ${try(format("found %s, but spec.placement.pool cpu has none; write pool: gpu or auto, or gpu: 0", tostring(((((try(var.resources, null) != null) ? (try(var.resources.gpu, null) != null) : false) ? var.resources.gpu : 0.0)))), "")}",
    try(((!can(regex("^(?:([0-9]{1,6}h)?([0-9]{1,7}m)?([0-9]{1,9}s)?([0-9]{1,12}ms)?)$", ((((try(var.batching, null) != null) ? (try(var.batching.maxDelay, null) != null) : false) ? var.batching.maxDelay : "0s")))) ? true : !can(regex("^(?:([0-9]{1,6}h)?([0-9]{1,7}m)?([0-9]{1,9}s)?([0-9]{1,12}ms)?)$", (((try(var.timeout, null) != null) ? var.timeout : "30s"))))) ? true : (sum([for d in regexall("([0-9]+)(ms|h|m|s)", ((((try(var.batching, null) != null) ? (try(var.batching.maxDelay, null) != null) : false) ? var.batching.maxDelay : "0s"))) : d[0] * { h = 3600000, m = 60000, s = 1000, ms = 1 }[d[1]]])) < (sum([for d in regexall("([0-9]+)(ms|h|m|s)", (((try(var.timeout, null) != null) ? var.timeout : "30s"))) : d[0] * { h = 3600000, m = 60000, s = 1000, ms = 1 }[d[1]]]))), true) ? "" : "spec.batching.maxDelay: ${try(format("found %s, not below spec.timeout of %s, so every batch could time out; lower it or raise timeout", tostring(((((try(var.batching, null) != null) ? (try(var.batching.maxDelay, null) != null) : false) ? var.batching.maxDelay : "0s"))), tostring((((try(var.timeout, null) != null) ? var.timeout : "30s")))), "")}",
    try(alltrue([for s in [for v in [try(var.keepWarm.schedule, null), []] : v if v != null][0] : (((try(s.min, null) != null) ? s.min : 1)) <= ((((try(var.scaling, null) != null) ? (try(var.scaling.max, null) != null) : false) ? var.scaling.max : ((((try(var.type, null) != null) ? var.type : "Inference")) == "TrainingStep" ? 1 : 10)))]), true) ? "" : "spec.keepWarm.schedule: ${try(format("found a min of %s, above spec.scaling.max of %s; lower it or raise max", tostring(max([for s in [for v in [try(var.keepWarm.schedule, null), []] : v if v != null][0] : (((try(s.min, null) != null) ? s.min : 1))]...)), tostring(((((try(var.scaling, null) != null) ? (try(var.scaling.max, null) != null) : false) ? var.scaling.max : ((((try(var.type, null) != null) ? var.type : "Inference")) == "TrainingStep" ? 1 : 10))))), "")}",
    try((contains(["Gradient", "TrainingStep"], (((try(var.type, null) != null) ? var.type : "Inference"))) ? true : !(try(var.gradient, null) != null)), true) ? "" : "spec.gradient: ${try(format("found it with spec.type %s; remove it, or write type: Gradient or TrainingStep", tostring((((try(var.type, null) != null) ? var.type : "Inference")))), "")}",
    try((!(contains(["Gradient", "TrainingStep"], (((try(var.type, null) != null) ? var.type : "Inference")))) ? true : (try(var.gradient, null) != null)), true) ? "" : "spec.gradient: ${try(format("missing; spec.type %s needs to know its loss, write gradient: {loss: {output: …}}", tostring((((try(var.type, null) != null) ? var.type : "Inference")))), "")}",
    try((((((try(var.type, null) != null) ? var.type : "Inference")) != "TrainingStep" ? true : !(try(var.gradient, null) != null)) ? true : (((try(var.gradient, null) != null) ? (try(var.gradient.optimizer, null) != null) : false))), true) ? "" : "spec.gradient.optimizer: missing; spec.type TrainingStep needs one, such as {type: Adam, learningRate: 0.001}",
    try(((((try(var.type, null) != null) ? var.type : "Inference")) != "Gradient" ? true : !(((try(var.gradient, null) != null) ? (try(var.gradient.optimizer, null) != null) : false))), true) ? "" : "spec.gradient.optimizer: found it with spec.type Gradient, which changes no weights; remove it, or write type: TrainingStep",
    try(((((try(var.type, null) != null) ? var.type : "Inference")) != "TrainingStep" ? true : !(contains([for v in [try(var.gradient.withRespectTo, null), ["parameters"]] : v if v != null][0], "inputs"))), true) ? "" : "spec.gradient.withRespectTo: found inputs, which a training step cannot change; write parameters, or names of initializers",
    try(((((try(var.type, null) != null) ? var.type : "Inference")) != "TrainingStep" ? true : ((((try(var.scaling, null) != null) ? (try(var.scaling.max, null) != null) : false) ? var.scaling.max : ((((try(var.type, null) != null) ? var.type : "Inference")) == "TrainingStep" ? 1 : 10))) <= 1), true) ? "" : "spec.scaling.max: ${try(format("found %s, but a TrainingStep has one replica, as two would train two copies of the weights; write max: 1, or leave it out", tostring(((((try(var.scaling, null) != null) ? (try(var.scaling.max, null) != null) : false) ? var.scaling.max : ((((try(var.type, null) != null) ? var.type : "Inference")) == "TrainingStep" ? 1 : 10))))), "")}",
    try(((((try(var.type, null) != null) ? var.type : "Inference")) == "Inference" ? true : ((((try(var.batching, null) != null) ? (try(var.batching.maxSize, null) != null) : false) ? var.batching.maxSize : 1)) <= 1), true) ? "" : "spec.batching.maxSize: ${try(format("found %s with spec.type %s, whose requests are not joined by it; remove batching", tostring(((((try(var.batching, null) != null) ? (try(var.batching.maxSize, null) != null) : false) ? var.batching.maxSize : 1))), tostring((((try(var.type, null) != null) ? var.type : "Inference")))), "")}",
    try((!(contains(["Gradient", "TrainingStep"], (((try(var.type, null) != null) ? var.type : "Inference")))) ? true : contains(["None", "Float16"], ((((try(var.quantize, null) != null) ? (try(var.quantize.type, null) != null) : false) ? var.quantize.type : "None")))), true) ? "" : "spec.quantize: ${try(format("found %s with spec.type %s; integers have no gradients, write type: None, or spec.type: Inference", tostring(((((try(var.quantize, null) != null) ? (try(var.quantize.type, null) != null) : false) ? var.quantize.type : "None"))), tostring((((try(var.type, null) != null) ? var.type : "Inference")))), "")}",
    try((!(contains(["Gradient", "TrainingStep"], (((try(var.type, null) != null) ? var.type : "Inference")))) ? true : ((((try(var.quantize, null) != null) ? (try(var.quantize.type, null) != null) : false) ? var.quantize.type : "None")) != "Float16"), true) ? "" : "spec.quantize: ${try(format("found Float16 with spec.type %s; gradients in half precision vanish unless the loss is scaled, which is not done; write type: None, or spec.type: Inference", tostring((((try(var.type, null) != null) ? var.type : "Inference")))), "")}",
    try(((((try(var.type, null) != null) ? var.type : "Inference")) == "Generation" ? true : !(try(var.generation, null) != null)), true) ? "" : "spec.generation: ${try(format("found it with spec.type %s; remove it, or write type: Generation", tostring((((try(var.type, null) != null) ? var.type : "Inference")))), "")}",
    try((contains(["Generation", "Encoder"], (((try(var.type, null) != null) ? var.type : "Inference"))) ? true : !can(regex("^(?:s3://.*/)$", var.model))), true) ? "" : "spec.model: ${try(format("found the folder %s with spec.type %s, whose model is a file; write s3://bucket/key, or spec.type: Generation or Encoder", tostring(var.model), tostring((((try(var.type, null) != null) ? var.type : "Inference")))), "")}",
    try((!(contains(["Generation", "Encoder"], (((try(var.type, null) != null) ? var.type : "Inference")))) ? true : !(contains(["Dynamic", "Static", "Float16"], ((((try(var.quantize, null) != null) ? (try(var.quantize.type, null) != null) : false) ? var.quantize.type : "None"))))), true) ? "" : "spec.quantize.type: ${try(format("found %s with spec.type %s, whose weights are quantised by blocks; write Int8, Int4 or None", tostring(((((try(var.quantize, null) != null) ? (try(var.quantize.type, null) != null) : false) ? var.quantize.type : "None"))), tostring((((try(var.type, null) != null) ? var.type : "Inference")))), "")}",
    try(((((try(var.type, null) != null) ? var.type : "Inference")) != "Inference" ? true : !(contains(["Int8", "Int4"], ((((try(var.quantize, null) != null) ? (try(var.quantize.type, null) != null) : false) ? var.quantize.type : "None"))))), true) ? "" : "spec.quantize.type: ${try(format("found %s with spec.type Inference; write Dynamic, Static, Float16 or None, or spec.type: Generation or Encoder", tostring(((((try(var.quantize, null) != null) ? (try(var.quantize.type, null) != null) : false) ? var.quantize.type : "None")))), "")}",
    try(((!(contains(["Generation", "Encoder"], (((try(var.type, null) != null) ? var.type : "Inference")))) ? true : !(try(var.shapes, null) != null)) ? true : length(var.shapes) == 0), true) ? "" : "spec.shapes: ${try(format("found it with spec.type %s, but it is for tensors, and a call of such a function has text; remove it", tostring((((try(var.type, null) != null) ? var.type : "Inference")))), "")}",
    try(((!(contains(["Generation", "Encoder"], (((try(var.type, null) != null) ? var.type : "Inference")))) ? true : !(try(var.optionalInputs, null) != null)) ? true : length(var.optionalInputs) == 0), true) ? "" : "spec.optionalInputs: ${try(format("found it with spec.type %s, but it is for tensors, and a call of such a function has text; remove it", tostring((((try(var.type, null) != null) ? var.type : "Inference")))), "")}",
    try(((!(contains(["Generation", "Encoder"], (((try(var.type, null) != null) ? var.type : "Inference")))) ? true : !(try(var.grpc, null) != null)) ? true : !var.grpc), true) ? "" : "spec.grpc: ${try(format("found it with spec.type %s, but it is for tensors, and a call of such a function has text; remove it", tostring((((try(var.type, null) != null) ? var.type : "Inference")))), "")}",
  ])
}
