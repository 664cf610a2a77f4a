# The keys of function.yaml's spec are in spec.tf, by the same names.

variable "name" {
  description = "Name of the function: a DNS label that starts with a letter."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$", var.name))
    error_message = "metadata.name: found ${jsonencode(var.name)}; write a DNS label of at most 63 characters that starts with a letter"
  }
}

variable "namespace" {
  description = "Namespace of the function. It must exist."
  type        = string
  default     = "default"
  nullable    = false
}

variable "labels" {
  description = "Labels of the Function."
  type        = map(string)
  default     = {}
  nullable    = false
}

variable "model_file" {
  description = "Path of a local ONNX model, instead of model. It is uploaded with curl to the platform at KNABLA_SERVER, with KNABLA_TOKEN."
  type        = string
  default     = null

  validation {
    condition     = (var.model_file == null) != (var.model == null)
    error_message = "spec.model: write either model (s3://bucket/key, or sha256: and the digest of an uploaded file) or model_file (a local path)"
  }

  validation {
    condition     = var.model_file == null ? true : fileexists(var.model_file)
    error_message = "model_file: there is no file ${coalesce(var.model_file, "-")}"
  }
}

variable "wait" {
  description = "How long an apply waits until the function is Ready, such as 10m."
  type        = string
  default     = "10m"
  nullable    = false

  validation {
    condition     = can(regex("^([0-9]+h)?([0-9]+m)?([0-9]+s)?$", var.wait)) && var.wait != ""
    error_message = "wait: found ${jsonencode(var.wait)}; write a duration such as 90s or 10m"
  }
}

variable "take_over" {
  description = "Whether to take keys over that kubectl or another tool has set (needed once after an import)."
  type        = bool
  default     = false
  nullable    = false
}
