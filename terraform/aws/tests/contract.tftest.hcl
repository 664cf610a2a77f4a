# The contract with k8s/ in literals: a name that changes on one side fails here. terraform/check changes ten to show it.

mock_provider "aws" {
  source = "./tests/mocks"
}

mock_provider "helm" {}

variables {
  region            = "eu-central-1"
  api_allowed_cidrs = ["203.0.113.7/32"]
}

run "names" {
  assert {
    condition     = aws_sqs_queue.interruption.name == "knabla-interruption"
    error_message = "the queue that Karpenter reads"
  }
  assert {
    condition = toset([for rule in aws_cloudwatch_event_rule.this : jsondecode(rule.event_pattern)["detail-type"][0]]) == toset([
      "EC2 Spot Instance Interruption Warning", "EC2 Instance Rebalance Recommendation", "EC2 Instance State-change Notification",
      "EC2 Capacity Reservation Instance Interruption Warning", "AWS Health Event",
    ])
    error_message = "the events that the spot autoscaler and Karpenter read"
  }
  assert {
    condition     = alltrue([for target in aws_cloudwatch_event_target.karpenter : target.arn == aws_sqs_queue.interruption.arn])
    error_message = "every event goes to Karpenter's queue"
  }
  assert {
    condition = (aws_sqs_queue.signals.name == "knabla-signals" && length(aws_cloudwatch_event_target.knabla) == 5 &&
    alltrue([for target in aws_cloudwatch_event_target.knabla : target.arn == aws_sqs_queue.signals.arn]))
    error_message = "every event goes to Knabla's queue"
  }
  assert {
    condition     = alltrue([for subnet in aws_subnet.private : subnet.tags["karpenter.sh/discovery"] == "knabla"]) && aws_ec2_tag.discovery.key == "karpenter.sh/discovery" && aws_ec2_tag.discovery.value == "knabla"
    error_message = "Karpenter finds subnets and security group by their tag"
  }
  assert {
    condition     = alltrue([for template in aws_launch_template.node : template.tag_specifications[0].tags["knabla.dev/cluster"] == "knabla"])
    error_message = "instances have the tag that the budget counts; Karpenter's get it from k8s/"
  }
  assert {
    condition     = aws_eks_pod_identity_association.karpenter[0].service_account == "karpenter" && aws_eks_pod_identity_association.karpenter[0].namespace == "kube-system"
    error_message = "Karpenter's service account has its role"
  }
  assert {
    condition     = keys(aws_ecr_repository.this) == ["knabla/controller", "knabla/replica", "knabla/s3"] && output.registry == "111122223333.dkr.ecr.eu-central-1.amazonaws.com/knabla/knabla"
    error_message = "a repository for each image"
  }
  assert {
    condition     = alltrue([for name, repository in aws_ecr_repository.this : "${split("/", output.registry)[0]}/${repository.name}" == "${output.registry}/${split("/", name)[1]}"])
    error_message = "./knabla images --push REGISTRY pushes into these repositories"
  }
  assert {
    condition = yamldecode(output.account).data == {
      cluster        = "knabla"
      nodeRole       = "knabla-node"
      region         = "eu-central-1"
      store          = "s3://${aws_s3_bucket.store.id}/knabla"
      controllerRole = aws_iam_role.knabla["controller"].arn
      replicaRole    = aws_iam_role.knabla["replica"].arn
      signalQueue    = aws_sqs_queue.signals.url
    }
    error_message = "the output fills account.yaml"
  }
  assert {
    condition     = toset(keys(yamldecode(output.account).data)) == toset(keys(yamldecode(file("../../k8s/overlays/aws/account.yaml")).data))
    error_message = "the output has the keys of account.yaml, and no others"
  }
  assert {
    condition     = aws_eks_pod_identity_association.controller.namespace == "knabla-system" && aws_eks_pod_identity_association.controller.service_account == "knabla-controller"
    error_message = "the controller's service account"
  }
  assert {
    condition     = jsondecode(aws_iam_role.knabla["controller"].assume_role_policy).Statement[0].Condition.StringLike["oidc.eks.eu-central-1.amazonaws.com/id/MOCK:sub"] == ["system:serviceaccount:knabla-system:knabla-controller"]
    error_message = "only the controller takes its role"
  }
  assert {
    condition     = jsondecode(aws_iam_role.knabla["replica"].assume_role_policy).Statement[0].Condition.StringLike["oidc.eks.eu-central-1.amazonaws.com/id/MOCK:sub"] == ["system:serviceaccount:*:*-knabla", "system:serviceaccount:knabla-system:knabla-check"]
    error_message = "only replicas and checks take the replicas' role"
  }
  assert {
    condition     = alltrue([for association in aws_iam_role.knabla : !strcontains(association.assume_role_policy, "\"AWS\"")])
    error_message = "no account or user takes a role of Knabla's"
  }
}

run "node_groups" {
  variables {
    nodes = "groups"
  }
  assert {
    condition     = keys(aws_eks_node_group.function) == ["knabla-cpu-on-demand", "knabla-cpu-spot", "knabla-gpu-on-demand", "knabla-gpu-spot"]
    error_message = "cpu and gpu, on demand and spot"
  }
  assert {
    condition     = alltrue([for name, group in aws_eks_node_group.function : group.labels == tomap({ "knabla.dev/pool" = split("-", name)[1] })])
    error_message = "the label that the controller places by"
  }
  assert {
    condition     = alltrue([for name, group in aws_eks_node_group.function : group.capacity_type == (endswith(name, "spot") ? "SPOT" : "ON_DEMAND") && group.scaling_config[0].min_size == 0])
    error_message = "capacity types; all scale from zero"
  }
  assert {
    condition     = [for taint in aws_eks_node_group.function["knabla-cpu-spot"].taint : "${taint.key}=${taint.value}:${taint.effect}"] == ["knabla.dev/spot=true:NO_SCHEDULE"]
    error_message = "only functions tolerate spot"
  }
  assert {
    condition     = alltrue([for name, group in aws_eks_node_group.function : [for taint in group.taint : "${taint.key}=${taint.value}:${taint.effect}"] == ["nvidia.com/gpu=true:NO_SCHEDULE"] if group.labels["knabla.dev/pool"] == "gpu"])
    error_message = "the taint that NVIDIA's device plugin tolerates"
  }
  assert {
    condition     = alltrue([for name, group in aws_eks_node_group.function : group.ami_type == (strcontains(name, "gpu") ? "AL2023_x86_64_NVIDIA" : "AL2023_x86_64_STANDARD") && length(group.instance_types) >= 2])
    error_message = "the GPU's image, and several instance types"
  }
}
