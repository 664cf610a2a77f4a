# Roles of Knabla. Their policies are the files that `./knabla doctor --store … --policy ROLE` prints.
locals {
  issuer = replace(aws_iam_openid_connect_provider.this.url, "https://", "")

  pod_identity_statement = {
    Effect    = "Allow"
    Principal = { Service = "pods.eks.amazonaws.com" }
    Action    = ["sts:AssumeRole", "sts:TagSession"]
  }
  pod_identity_trust = jsonencode({ Version = "2012-10-17", Statement = [local.pod_identity_statement] })

  subjects = {
    controller = ["system:serviceaccount:${local.controller.namespace}:${local.controller.name}"]
    # The controller names the service account of a function's pods NAME-knabla.
    replica = ["system:serviceaccount:*:*-knabla", "system:serviceaccount:${local.check.namespace}:${local.check.name}"]
  }

  policies = {
    controller = ["store-controller", "store-kms"]
    replica    = [var.training ? "store-training" : "store-inference", "store-kms"]
  }

  policy_values = {
    partition = local.partition
    bucket    = local.bucket
    prefix    = local.prefix
    kms_key   = aws_kms_key.store.arn
  }
}

resource "aws_iam_role" "knabla" {
  for_each = local.subjects

  name = "${var.name}-${each.key}"
  assume_role_policy = jsonencode({
    Version = "2012-10-17"
    Statement = concat(
      [{
        Effect    = "Allow"
        Principal = { Federated = aws_iam_openid_connect_provider.this.arn }
        Action    = "sts:AssumeRoleWithWebIdentity"
        Condition = {
          StringEquals = { "${local.issuer}:aud" = "sts.amazonaws.com" }
          StringLike   = { "${local.issuer}:sub" = each.value }
        }
      }],
      # An association is for one service account: it suits the controller only.
      [for statement in [local.pod_identity_statement] : statement if each.key == "controller"],
    )
  })
}

resource "aws_iam_role_policy" "store" {
  for_each = local.policies

  name = "store"
  role = aws_iam_role.knabla[each.key].id
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = flatten([
      for file in each.value : jsondecode(templatefile("${path.module}/../policies/${file}.json.tftpl", local.policy_values)).Statement
    ])
  })
}

resource "aws_iam_role_policy" "prices" {
  name   = "prices"
  role   = aws_iam_role.knabla["controller"].id
  policy = file("${path.module}/../policies/prices.json")
}

resource "aws_eks_pod_identity_association" "controller" {
  cluster_name    = aws_eks_cluster.this.name
  namespace       = local.controller.namespace
  service_account = local.controller.name
  role_arn        = aws_iam_role.knabla["controller"].arn
}
