# What is installed into the cluster.

mock_provider "aws" {
  source = "./tests/mocks"
}

mock_provider "helm" {}

variables {
  region            = "eu-central-1"
  api_allowed_cidrs = ["203.0.113.7/32"]
}

run "karpenter" {
  assert {
    condition     = yamldecode(helm_release.this["karpenter"].values[0]).settings == { clusterName = "knabla", interruptionQueue = aws_sqs_queue.interruption.name }
    error_message = "Karpenter reads the queue of this cluster"
  }
  assert {
    condition     = yamldecode(helm_release.knative_serving[0].values[0]).spec.config.features["kubernetes.podspec-affinity"] == "enabled"
    error_message = "Knative lets the parts of a pod through that k8s/knative-settings lists"
  }
}

run "functions_are_private" {
  assert {
    condition     = yamldecode(helm_release.knative_serving[0].values[0]).spec.services[0].annotations["service.beta.kubernetes.io/aws-load-balancer-internal"] == "true"
    error_message = "without addresses, nobody outside of the VPC calls functions"
  }
}

run "functions_have_a_domain" {
  assert {
    condition     = yamldecode(helm_release.knative_serving[0].values[0]).spec.config.domain == { "functions.internal" = "" }
    error_message = "without a domain, Knative's ingress serves only the cluster"
  }
}

run "functions_are_public" {
  variables {
    function_allowed_cidrs = ["203.0.113.7/32", "198.51.100.0/24"]
  }
  assert {
    condition = yamldecode(helm_release.knative_serving[0].values[0]).spec.services[0].annotations == {
      "service.beta.kubernetes.io/aws-load-balancer-internal"  = "false"
      "service.beta.kubernetes.io/load-balancer-source-ranges" = "203.0.113.7/32,198.51.100.0/24"
    }
    error_message = "only the given addresses call functions"
  }
}

run "node_groups" {
  variables {
    nodes = "groups"
  }
  assert {
    condition     = !contains(keys(helm_release.this), "karpenter") && contains(keys(helm_release.this), "cluster-autoscaler")
    error_message = "the Cluster Autoscaler scales node groups"
  }
}

run "none" {
  variables {
    charts = false
  }
  assert {
    condition     = length(helm_release.this) + length(helm_release.knative_serving) == 0
    error_message = "charts = false installs nothing"
  }
}
