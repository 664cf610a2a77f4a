# Three functions: a model in a bucket, a local file, and gradients of a model that was uploaded before.
#   KNABLA_SERVER=… KNABLA_TOKEN=… terraform apply

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
  description = "Where the first and the third function's model lies: s3://bucket/key, or sha256: and a digest."
  type        = string
}

provider "kubernetes" {
  config_context = var.context
}

module "stored" {
  source    = "../../modules/function"
  name      = "digits-stored"
  namespace = var.namespace
  model     = var.model
  placement = { capacity = "Mixed", onDemandBase = 1 }
  scaling   = { min = 0, max = 5, idleAfter = "2m" }
}

module "local" {
  source     = "../../modules/function"
  name       = "digits-local"
  namespace  = var.namespace
  model_file = "${path.module}/../../../functions/samples/digits/digits.onnx"
  batching   = { maxSize = 8, maxDelay = "5ms" }
  resources  = { cpu = "500m", memory = "512Mi" }
}

module "gradient" {
  source    = "../../modules/function"
  name      = "digits-gradient"
  namespace = var.namespace
  type      = "Gradient"
  model     = var.model
  gradient = {
    loss          = { output = "logits", function = "SoftmaxCrossEntropy", target = "label" }
    withRespectTo = ["parameters"]
  }
  timeout = "1m"
}

output "urls" {
  description = "URLs of the functions."
  value       = { stored = module.stored.url, local = module.local.url, gradient = module.gradient.url }
}
