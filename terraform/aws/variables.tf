variable "name" {
  description = "Name of the cluster, and the beginning of the names of everything else."
  type        = string
  default     = "knabla"
  nullable    = false

  validation {
    condition     = can(regex("^[a-z][-a-z0-9]{1,22}[a-z0-9]$", var.name))
    error_message = "name: found ${jsonencode(var.name)}; write 3 to 24 of a-z, 0-9 and -, starting with a letter, not ending with -"
  }
}

variable "region" {
  description = "AWS region, such as eu-central-1. It needs three zones."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[a-z]{2}(-[a-z]+)+-[0-9]$", var.region))
    error_message = "region: found ${jsonencode(var.region)}; write a region such as eu-central-1"
  }
}

variable "size" {
  description = "Size of the nodes of the platform itself: small (one NAT gateway, endpoints in one zone), medium or large. Functions get nodes of their own."
  type        = string
  default     = "small"
  nullable    = false

  validation {
    condition     = contains(keys(jsondecode(file("${path.module}/sizes.json"))), var.size)
    error_message = "size: found ${jsonencode(var.size)}; write one of ${join(", ", keys(jsondecode(file("${path.module}/sizes.json"))))}"
  }
}

variable "kubernetes_version" {
  description = "Version of Kubernetes, such as 1.34."
  type        = string
  default     = "1.34"
  nullable    = false

  validation {
    condition     = can(regex("^1\\.(3[1-9]|[4-9][0-9])$", var.kubernetes_version))
    error_message = "kubernetes_version: found ${jsonencode(var.kubernetes_version)}; write 1.31 or newer (k8s/README.md says why)"
  }
}

variable "cidr" {
  description = "Addresses of the VPC: a private range of IPv4, /16 to /20."
  type        = string
  default     = "10.42.0.0/16"
  nullable    = false

  validation {
    condition = (
      can(cidrhost(var.cidr, 0)) && can(regex("/(1[6-9]|20)$", var.cidr)) &&
      can(regex("^(10\\.|172\\.(1[6-9]|2[0-9]|3[01])\\.|192\\.168\\.)", var.cidr))
    )
    error_message = "cidr: found ${jsonencode(var.cidr)}; write a private range of /16 to /20, such as 10.42.0.0/16"
  }
}

variable "api_allowed_cidrs" {
  description = "Addresses that reach the API server from outside of the VPC, such as your own, 203.0.113.7/32. Empty: it has no public endpoint."
  type        = list(string)
  default     = []
  nullable    = false

  validation {
    condition     = alltrue([for cidr in var.api_allowed_cidrs : can(cidrhost(cidr, 0)) && try(tonumber(split("/", cidr)[1]), 0) >= 8])
    error_message = "api_allowed_cidrs: found ${jsonencode(var.api_allowed_cidrs)}; write ranges of IPv4 of /8 or smaller; 0.0.0.0/0 is refused"
  }
}

variable "function_allowed_cidrs" {
  description = "Addresses that call functions from outside of the VPC, which have no authentication of their own. Empty: the load balancer is internal."
  type        = list(string)
  default     = []
  nullable    = false

  validation {
    condition     = alltrue([for cidr in var.function_allowed_cidrs : can(cidrnetmask(cidr))])
    error_message = "function_allowed_cidrs: found ${jsonencode(var.function_allowed_cidrs)}; write ranges of IPv4, such as 203.0.113.7/32, or 0.0.0.0/0 for everyone"
  }
}

variable "domain" {
  description = "Domain of the functions' URLs, NAME.NAMESPACE.DOMAIN. Its DNS is yours: point *.DOMAIN at the load balancer; until then callers send the name as header Host."
  type        = string
  default     = "functions.internal"
  nullable    = false

  validation {
    condition     = can(regex("^([a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?\\.)+[a-z]{2,63}$", var.domain)) && !endswith(var.domain, ".cluster.local")
    error_message = "domain: found ${jsonencode(var.domain)}; write a domain such as functions.example.com; functions of svc.cluster.local answer inside the cluster only"
  }
}

variable "charts" {
  description = "Whether to install Knative, Karpenter and the others into the cluster, with Helm."
  type        = bool
  default     = true
  nullable    = false

  validation {
    condition     = !var.charts || var.inside_vpc || length(var.api_allowed_cidrs) > 0
    error_message = "charts: Terraform has to reach the API server; set api_allowed_cidrs to your own address, or inside_vpc = true where Terraform runs in a network that reaches the VPC, or charts = false"
  }
}

variable "inside_vpc" {
  description = "Whether Terraform runs where it reaches the private endpoint of the API server, such as behind a VPN."
  type        = bool
  default     = false
  nullable    = false
}

variable "nodes" {
  description = "What provisions nodes of functions: karpenter (the NodePools of k8s/components/karpenter), or groups (four managed node groups of the same labels and taints, scaled by the Cluster Autoscaler)."
  type        = string
  default     = "karpenter"
  nullable    = false

  validation {
    condition     = contains(["karpenter", "groups"], var.nodes)
    error_message = "nodes: found ${jsonencode(var.nodes)}; write karpenter or groups"
  }
}

variable "group_limit" {
  description = "With nodes = groups: the maximum number of nodes of each group."
  type        = number
  default     = 10
  nullable    = false

  validation {
    condition     = var.group_limit >= 1 && var.group_limit <= 450 && floor(var.group_limit) == var.group_limit
    error_message = "group_limit: found ${var.group_limit}; write a whole number from 1 to 450"
  }
}

variable "instance_types" {
  description = "With nodes = groups: instance types of the groups. Those of one list have the same vCPUs, memory and GPUs, which the Cluster Autoscaler assumes."
  type        = object({ cpu = list(string), gpu = list(string) })
  default = {
    cpu = ["m7i.xlarge", "m6i.xlarge", "m7a.xlarge", "m6a.xlarge", "m5.xlarge"]
    gpu = ["g6.xlarge", "g5.xlarge", "g4dn.xlarge"]
  }
  nullable = false

  validation {
    condition     = min(length(var.instance_types.cpu), length(var.instance_types.gpu)) >= 2
    error_message = "instance_types: found ${jsonencode(var.instance_types)}; write two types or more for cpu and for gpu, because spot capacity is reclaimed type by type"
  }
}

variable "training" {
  description = "Whether functions may train: lets replicas write the states of TrainingSteps."
  type        = bool
  default     = true
  nullable    = false
}

variable "bucket" {
  description = "Name of the bucket; by default name, account and region."
  type        = string
  default     = null

  validation {
    condition     = var.bucket == null ? true : can(regex("^[a-z0-9][-a-z0-9]{1,61}[a-z0-9]$", var.bucket))
    error_message = "bucket: found ${jsonencode(var.bucket)}; write 3 to 63 of a-z, 0-9 and - (no dots: certificates do not fit them)"
  }
}

variable "destroy_data" {
  description = "Whether destroy deletes the bucket and the repositories with all that is in them."
  type        = bool
  default     = false
  nullable    = false
}

variable "budget" {
  description = "Monthly budget in US dollars of everything with this cluster's tag; alarms go to email at 80 % of it, and when 100 % is forecast. Null: no budget."
  type        = object({ usd = number, email = string })
  default     = null

  validation {
    condition     = var.budget == null ? true : var.budget.usd > 0 && can(regex("^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$", var.budget.email))
    error_message = "budget: found ${jsonencode(var.budget)}; write {usd = 500, email = \"team@example.com\"}"
  }
}

variable "log_days" {
  description = "Days that logs of the control plane and of the network are kept."
  type        = number
  default     = 365
  nullable    = false

  validation {
    condition     = contains([1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731], var.log_days)
    error_message = "log_days: found ${var.log_days}; CloudWatch allows 1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731"
  }
}

variable "container_insights" {
  description = "Whether CloudWatch gets metrics and logs of all containers. Charged by volume."
  type        = bool
  default     = false
  nullable    = false
}

variable "managed_prometheus" {
  description = "Whether metrics go to Amazon Managed Prometheus. Charged by volume; needs charts."
  type        = bool
  default     = false
  nullable    = false
}

variable "tags" {
  description = "Further tags of everything."
  type        = map(string)
  default     = {}
  nullable    = false

  validation {
    condition     = length(setintersection(keys(var.tags), ["knabla.dev/cluster"])) == 0
    error_message = "tags: knabla.dev/cluster is set by this module, from name"
  }
}

variable "chart_versions" {
  description = "Versions of the charts that are installed."
  type        = object({ knative_operator = string, prometheus = string, nvidia = string, karpenter = string, cluster_autoscaler = string })
  default     = { knative_operator = "v1.22.3", prometheus = "79.6.1", nvidia = "0.17.1", karpenter = "1.15.0", cluster_autoscaler = "9.56.0" }
  nullable    = false

  validation {
    condition     = alltrue([for version in values(var.chart_versions) : can(regex("^v?[0-9]+\\.[0-9]+\\.[0-9]+$", version))])
    error_message = "chart_versions: found ${jsonencode(var.chart_versions)}; write exact versions, such as 1.8.1"
  }
}
