resource "aws_eks_cluster" "this" {
  name     = var.name
  version  = var.kubernetes_version
  role_arn = aws_iam_role.cluster.arn

  enabled_cluster_log_types     = ["api", "audit", "authenticator", "controllerManager", "scheduler"]
  bootstrap_self_managed_addons = false

  access_config {
    authentication_mode                         = "API"
    bootstrap_cluster_creator_admin_permissions = true
  }

  encryption_config {
    resources = ["secrets"]
    provider {
      key_arn = aws_kms_key.cluster.arn
    }
  }

  vpc_config {
    subnet_ids              = [for subnet in aws_subnet.private : subnet.id]
    endpoint_private_access = true
    endpoint_public_access  = length(var.api_allowed_cidrs) > 0
    public_access_cidrs     = length(var.api_allowed_cidrs) > 0 ? var.api_allowed_cidrs : null
  }

  upgrade_policy {
    support_type = "STANDARD"
  }

  depends_on = [aws_iam_role_policy_attachment.cluster, aws_cloudwatch_log_group.this]
}

resource "aws_iam_role" "cluster" {
  name = "${var.name}-cluster"
  assume_role_policy = jsonencode({
    Version   = "2012-10-17"
    Statement = [{ Effect = "Allow", Principal = { Service = "eks.amazonaws.com" }, Action = ["sts:AssumeRole", "sts:TagSession"] }]
  })
}

resource "aws_iam_role_policy_attachment" "cluster" {
  role       = aws_iam_role.cluster.name
  policy_arn = "arn:${local.partition}:iam::aws:policy/AmazonEKSClusterPolicy"
}

# Karpenter finds its nodes' security group by this tag.
resource "aws_ec2_tag" "discovery" {
  resource_id = aws_eks_cluster.this.vpc_config[0].cluster_security_group_id
  key         = "karpenter.sh/discovery"
  value       = var.name
}

resource "aws_iam_openid_connect_provider" "this" {
  url            = aws_eks_cluster.this.identity[0].oidc[0].issuer
  client_id_list = ["sts.amazonaws.com"]
}

# Add-ons that nodes need to become ready are not awaited; the others are, and need nodes.
resource "aws_eks_addon" "early" {
  for_each = {
    vpc-cni                = { enableNetworkPolicy = "true" }
    kube-proxy             = {}
    eks-pod-identity-agent = {}
  }

  cluster_name         = aws_eks_cluster.this.name
  addon_name           = each.key
  configuration_values = length(each.value) > 0 ? jsonencode(each.value) : null
}

resource "aws_eks_addon" "late" {
  for_each = toset(concat(
    ["coredns", "metrics-server"],
    var.container_insights ? ["amazon-cloudwatch-observability"] : [],
  ))

  cluster_name = aws_eks_cluster.this.name
  addon_name   = each.key

  depends_on = [aws_eks_node_group.system]
}
