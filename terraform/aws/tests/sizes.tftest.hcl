# What is planned at each size, and that idle-cost.csv prices just that. terraform/check prints the number of resources and the cost.

mock_provider "aws" {
  source = "./tests/mocks"
}

mock_provider "helm" {}

variables {
  region = "eu-central-1"
  charts = false
}

run "small" {
  command = plan
  variables {
    size = "small"
  }
  assert {
    condition     = local.billed == { for item, row in local.priced : item => tonumber(row.count) }
    error_message = "idle-cost.csv counts what is planned"
  }
}

run "medium" {
  command = plan
  variables {
    size = "medium"
  }
  assert {
    condition     = local.billed == { for item, row in local.priced : item => tonumber(row.count) }
    error_message = "idle-cost.csv counts what is planned"
  }
}

run "large" {
  command = plan
  variables {
    size = "large"
  }
  assert {
    condition     = local.billed == { for item, row in local.priced : item => tonumber(row.count) }
    error_message = "idle-cost.csv counts what is planned"
  }
}
