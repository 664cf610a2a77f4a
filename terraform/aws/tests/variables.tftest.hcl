# One wrong value a run; the variable that refuses it.

mock_provider "aws" {
  source = "./tests/mocks"
}

mock_provider "helm" {}

variables {
  region            = "eu-central-1"
  api_allowed_cidrs = ["203.0.113.7/32"]
}

run "name_1" {
  command = plan
  variables {
    name = "Knabla"
  }
  expect_failures = [var.name]
}

run "name_2" {
  command = plan
  variables {
    name = "ab"
  }
  expect_failures = [var.name]
}

run "region_1" {
  command = plan
  variables {
    region = "Frankfurt"
  }
  expect_failures = [var.region]
}

run "size_1" {
  command = plan
  variables {
    size = "huge"
  }
  expect_failures = [var.size]
}

run "kubernetes_version_1" {
  command = plan
  variables {
    kubernetes_version = "1.30"
  }
  expect_failures = [var.kubernetes_version]
}

run "cidr_1" {
  command = plan
  variables {
    cidr = "8.8.0.0/16"
  }
  expect_failures = [var.cidr]
}

run "cidr_2" {
  command = plan
  variables {
    cidr = "10.0.0.0/24"
  }
  expect_failures = [var.cidr]
}

run "api_allowed_cidrs_1" {
  command = plan
  variables {
    api_allowed_cidrs = ["0.0.0.0/0"]
  }
  expect_failures = [var.api_allowed_cidrs]
}

run "api_allowed_cidrs_2" {
  command = plan
  variables {
    api_allowed_cidrs = []
  }
  expect_failures = [var.charts]
}

run "function_allowed_cidrs_1" {
  command = plan
  variables {
    function_allowed_cidrs = ["203.0.113.7"]
  }
  expect_failures = [var.function_allowed_cidrs]
}

run "domain_1" {
  command = plan
  variables {
    domain = "svc.cluster.local"
  }
  expect_failures = [var.domain]
}

run "domain_2" {
  command = plan
  variables {
    domain = "*.example.com"
  }
  expect_failures = [var.domain]
}

run "nodes_1" {
  command = plan
  variables {
    nodes = "fargate"
  }
  expect_failures = [var.nodes]
}

run "group_limit_1" {
  command = plan
  variables {
    group_limit = 0
  }
  expect_failures = [var.group_limit]
}

run "group_limit_2" {
  command = plan
  variables {
    group_limit = 1.5
  }
  expect_failures = [var.group_limit]
}

run "instance_types_1" {
  command = plan
  variables {
    instance_types = { cpu = ["m7i.large"], gpu = ["g5.xlarge", "g6.xlarge"] }
  }
  expect_failures = [var.instance_types]
}

run "bucket_1" {
  command = plan
  variables {
    bucket = "my.bucket"
  }
  expect_failures = [var.bucket]
}

run "budget_1" {
  command = plan
  variables {
    budget = { usd = 0, email = "a@b.de" }
  }
  expect_failures = [var.budget]
}

run "budget_2" {
  command = plan
  variables {
    budget = { usd = 5, email = "nobody" }
  }
  expect_failures = [var.budget]
}

run "log_days_1" {
  command = plan
  variables {
    log_days = 8
  }
  expect_failures = [var.log_days]
}

run "tags_1" {
  command = plan
  variables {
    tags = { "knabla.dev/cluster" = "other" }
  }
  expect_failures = [var.tags]
}

run "chart_versions_1" {
  command = plan
  variables {
    chart_versions = { knative_operator = "v1.22.3", prometheus = "79.6.1", nvidia = "~> 0.17", karpenter = "1.15.0", cluster_autoscaler = "9.56.0" }
  }
  expect_failures = [var.chart_versions]
}
