# Three functions: of a local file, of a model in a bucket, and gradients of the local file's model.
#   KNABLA_SERVER=… KNABLA_TOKEN=… terraform apply -var model=s3://bucket/digits.onnx

terraform {
  required_version = ">= 1.9"
  required_providers {
    kubernetes = {
      source  = "hashicorp/kubernetes"
      version = "~> 3.0"
    }
  }
}

variable "context" {
  description = "The kubeconfig's context; KUBE_CONFIG_PATH names the file."
  type        = string
  default     = null
}

variable "namespace" {
  description = "Namespace of the functions. It must exist."
  type        = string
  default     = "default"
}

variable "model" {
  description = "Where the second function's model lies, such as s3://bucket/key. By default it is that of the first."
  type        = string
  default     = null
}

variable "placement" {
  description = "Which nodes the functions run on."
  type        = any
  default     = { capacity = "Mixed", onDemandBase = 1 }
}

provider "kubernetes" {
  config_context = var.context
}

module "local" {
  source     = "../../modules/function"
  name       = "digits-local"
  namespace  = var.namespace
  model_file = "${path.module}/../../../functions/samples/digits/digits.onnx"
  placement  = var.placement
  batching   = { maxSize = 8, maxDelay = "5ms" }
  resources  = { cpu = "100m", memory = "256Mi" }
}

module "stored" {
  source    = "../../modules/function"
  name      = "digits-stored"
  namespace = var.namespace
  model     = coalesce(var.model, module.local.model)
  placement = var.placement
  scaling   = { min = 0, max = 5, idleAfter = "2m" }
  resources = { cpu = "100m", memory = "256Mi" }
}

module "gradient" {
  source    = "../../modules/function"
  name      = "digits-gradient"
  namespace = var.namespace
  type      = "Gradient"
  model     = module.local.model
  placement = var.placement
  gradient = {
    loss          = { output = "logits", function = "SoftmaxCrossEntropy", target = "label" }
    withRespectTo = ["parameters"]
  }
  resources = { cpu = "100m", memory = "256Mi" }
  timeout   = "1m"
}

output "functions" {
  description = "URLs and versions of the functions."
  value = {
    for name, function in { local = module.local, stored = module.stored, gradient = module.gradient } :
    name => { url = function.url, version = function.version }
  }
}
