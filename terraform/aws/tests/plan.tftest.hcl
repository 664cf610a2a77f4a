# What sizes and switches switch, who has which rights, and what is closed and encrypted.

mock_provider "aws" {
  source = "./tests/mocks"
}

mock_provider "helm" {}

variables {
  region            = "eu-central-1"
  api_allowed_cidrs = ["203.0.113.7/32"]
}

run "small" {
  assert {
    condition     = length(aws_nat_gateway.this) == 1 && length(aws_vpc_endpoint.interface["sts"].subnet_ids) == 1
    error_message = "small has one NAT gateway, and endpoints in one zone"
  }
  assert {
    condition     = length(aws_subnet.private) == 3 && length(distinct([for subnet in concat(values(aws_subnet.private), values(aws_subnet.public)) : subnet.cidr_block])) == 6
    error_message = "three zones with a private and a public subnet each"
  }
  assert {
    condition     = aws_eks_node_group.system.capacity_type == "ON_DEMAND" && length(aws_eks_node_group.function) == 0
    error_message = "the platform's own nodes are on demand; with Karpenter there are no groups for functions"
  }
  assert {
    condition     = aws_eks_cluster.this.vpc_config[0].endpoint_private_access && aws_eks_cluster.this.vpc_config[0].public_access_cidrs == toset(["203.0.113.7/32"])
    error_message = "only the given addresses reach the API server"
  }
  assert {
    condition     = alltrue([for template in aws_launch_template.node : template.metadata_options[0].http_tokens == "required" && template.metadata_options[0].http_put_response_hop_limit == 1])
    error_message = "IMDSv2 only, and not for pods"
  }
  assert {
    condition     = alltrue([for template in aws_launch_template.node : tobool(template.block_device_mappings[0].ebs[0].encrypted)])
    error_message = "disks are encrypted"
  }
}

run "large" {
  variables {
    size = "large"
  }
  assert {
    condition     = length(aws_nat_gateway.this) == 3 && length(aws_vpc_endpoint.interface["sts"].subnet_ids) == 3
    error_message = "large has a NAT gateway and endpoints in every zone"
  }
}

run "private" {
  variables {
    api_allowed_cidrs = []
    charts            = false
  }
  assert {
    condition     = !aws_eks_cluster.this.vpc_config[0].endpoint_public_access
    error_message = "without addresses there is no public endpoint"
  }
}

run "rights_on_the_bucket" {
  assert {
    condition     = toset([for statement in jsondecode(aws_iam_role_policy.store["controller"].policy).Statement : statement.Sid]) == toset(["KnablaObjects", "KnablaMultipartAndPresignedUploads", "KnablaListing", "KnablaResumedAndSweptUploads", "KnablaEncryptionKey"])
    error_message = "the controller's policy is store-controller and store-kms of terraform/policies"
  }
  assert {
    condition     = jsondecode(aws_iam_role_policy.store["controller"].policy).Statement[0].Resource == "arn:aws:s3:::knabla-111122223333-eu-central-1/knabla/*"
    error_message = "the policy names this bucket"
  }
  assert {
    condition     = contains([for statement in jsondecode(aws_iam_role_policy.store["replica"].policy).Statement : statement.Sid], "KnablaStates")
    error_message = "replicas that train write states"
  }
  assert {
    condition     = jsondecode(aws_iam_role_policy.prices.policy) == jsondecode(file("../policies/prices.json"))
    error_message = "the controller reads prices"
  }
  assert {
    condition     = aws_s3_bucket.store.bucket == "knabla-111122223333-eu-central-1" && !aws_s3_bucket.store.force_destroy && !aws_ecr_repository.this["knabla/replica"].force_delete
    error_message = "data outlives a destroy unless destroy_data is set"
  }
}

# Where an action knows no resource, it must be one that reads.
run "no_right_to_change_everything" {
  variables {
    managed_prometheus = true
  }
  assert {
    condition = alltrue(flatten([
      for policy in concat(values(aws_iam_role_policy.store), [aws_iam_role_policy.prices, aws_iam_role_policy.flow_log], aws_iam_role_policy.karpenter, aws_iam_role_policy.prometheus) : [
        for statement in jsondecode(policy.policy).Statement : [
          for action in flatten([statement.Action]) : !endswith(action, "*") && (statement.Resource != "*" || can(regex(":(Describe|Get|List)", action)))
        ]
      ]
    ]))
    error_message = "no policy allows all actions, nor a change of all resources"
  }
}

run "only_inference" {
  variables {
    training = false
  }
  assert {
    condition     = [for statement in jsondecode(aws_iam_role_policy.store["replica"].policy).Statement : statement.Sid] == ["KnablaUnits", "KnablaEncryptionKey"]
    error_message = "without training, replicas only read"
  }
}

run "switches" {
  variables {
    container_insights = true
    managed_prometheus = true
    budget             = { usd = 500, email = "team@example.com" }
  }
  assert {
    condition     = contains(keys(aws_eks_addon.late), "amazon-cloudwatch-observability") && length(aws_prometheus_workspace.this) == 1
    error_message = "what the switches switch"
  }
  assert {
    condition     = one(aws_budgets_budget.this[0].cost_filter).values == tolist(["user:knabla.dev/cluster$knabla"])
    error_message = "the budget counts what has the cluster's tag"
  }
}
