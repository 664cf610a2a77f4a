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
