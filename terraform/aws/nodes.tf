# The platform's own nodes run Knative, Knabla and Karpenter. They are on demand; spot nodes carry taints that only functions tolerate.
resource "aws_eks_node_group" "system" {
  cluster_name    = aws_eks_cluster.this.name
  node_group_name = "${var.name}-system"
  node_role_arn   = aws_iam_role.node.arn
  subnet_ids      = [for subnet in aws_subnet.private : subnet.id]
  ami_type        = "AL2023_x86_64_STANDARD"
  capacity_type   = "ON_DEMAND"
  instance_types  = [local.size.instance_type]

  scaling_config {
    min_size     = local.size.nodes
    desired_size = local.size.nodes
    max_size     = local.size.nodes * 2
  }

  update_config {
    max_unavailable = 1
  }

  launch_template {
    id      = aws_launch_template.node["system"].id
    version = aws_launch_template.node["system"].latest_version
  }

  lifecycle {
    ignore_changes = [scaling_config[0].desired_size]
  }

  depends_on = [aws_eks_addon.early, aws_iam_role_policy_attachment.node]
}

# EKS allocates spot capacity of a node group by price and capacity; there is nothing to set.
resource "aws_eks_node_group" "function" {
  for_each = { for name, pool in local.pools : name => pool if var.nodes == "groups" }

  cluster_name    = aws_eks_cluster.this.name
  node_group_name = each.key
  node_role_arn   = aws_iam_role.node.arn
  subnet_ids      = [for subnet in aws_subnet.private : subnet.id]
  ami_type        = each.value.kind == "gpu" ? "AL2023_x86_64_NVIDIA" : "AL2023_x86_64_STANDARD"
  capacity_type   = each.value.capacity == "spot" ? "SPOT" : "ON_DEMAND"
  instance_types  = var.instance_types[each.value.kind]
  labels          = each.value.labels

  dynamic "taint" {
    for_each = each.value.taints
    content {
      key    = taint.value.key
      value  = taint.value.value
      effect = { NoSchedule = "NO_SCHEDULE", NoExecute = "NO_EXECUTE", PreferNoSchedule = "PREFER_NO_SCHEDULE" }[taint.value.effect]
    }
  }

  scaling_config {
    min_size     = 0
    desired_size = 0
    max_size     = var.group_limit
  }

  launch_template {
    id      = aws_launch_template.node[each.value.kind].id
    version = aws_launch_template.node[each.value.kind].latest_version
  }

  lifecycle {
    ignore_changes = [scaling_config[0].desired_size]
  }

  depends_on = [aws_eks_addon.early, aws_iam_role_policy_attachment.node]
}

resource "aws_launch_template" "node" {
  for_each = { system = local.size.disk_gib, cpu = 50, gpu = 100 }

  name_prefix = "${var.name}-${each.key}-"

  # Pods reach no credentials of the node.
  metadata_options {
    http_endpoint               = "enabled"
    http_tokens                 = "required"
    http_put_response_hop_limit = 1
  }

  block_device_mappings {
    device_name = "/dev/xvda"
    ebs {
      volume_type           = "gp3"
      volume_size           = each.value
      encrypted             = true
      delete_on_termination = true
    }
  }

  dynamic "tag_specifications" {
    for_each = ["instance", "volume", "network-interface"]
    content {
      resource_type = tag_specifications.value
      tags          = merge(local.tags, { Name = "${var.name}-${each.key}" })
    }
  }
}

# Of all nodes, those of Karpenter included.
resource "aws_iam_role" "node" {
  name = "${var.name}-node"
  assume_role_policy = jsonencode({
    Version   = "2012-10-17"
    Statement = [{ Effect = "Allow", Principal = { Service = "ec2.amazonaws.com" }, Action = "sts:AssumeRole" }]
  })
}

resource "aws_iam_role_policy_attachment" "node" {
  for_each = toset(["AmazonEKSWorkerNodePolicy", "AmazonEKS_CNI_Policy", "AmazonEC2ContainerRegistryPullOnly", "AmazonSSMManagedInstanceCore"])

  role       = aws_iam_role.node.name
  policy_arn = "arn:${local.partition}:iam::aws:policy/${each.key}"
}

# Scales the node groups from zero. Karpenter does the same for its NodePools.
resource "aws_iam_role" "autoscaler" {
  count = var.nodes == "groups" ? 1 : 0

  name               = "${var.name}-cluster-autoscaler"
  assume_role_policy = local.pod_identity_trust
}

resource "aws_iam_role_policy" "autoscaler" {
  count = var.nodes == "groups" ? 1 : 0

  name = "scale"
  role = aws_iam_role.autoscaler[0].id
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [
      {
        # These actions know no resources.
        Sid    = "Read"
        Effect = "Allow"
        Action = [
          "autoscaling:DescribeAutoScalingGroups", "autoscaling:DescribeAutoScalingInstances", "autoscaling:DescribeLaunchConfigurations",
          "autoscaling:DescribeScalingActivities", "autoscaling:DescribeTags", "ec2:DescribeImages", "ec2:DescribeInstanceTypes",
          "ec2:DescribeLaunchTemplateVersions", "ec2:GetInstanceTypesFromInstanceRequirements",
        ]
        Resource  = "*"
        Condition = { StringEquals = { "aws:RequestedRegion" = var.region } }
      },
      {
        # It learns from EKS what labels and taints the nodes of an empty group have.
        Sid      = "ReadGroups"
        Effect   = "Allow"
        Action   = "eks:DescribeNodegroup"
        Resource = [for group in aws_eks_node_group.function : group.arn]
      },
      {
        Sid       = "Scale"
        Effect    = "Allow"
        Action    = ["autoscaling:SetDesiredCapacity", "autoscaling:TerminateInstanceInAutoScalingGroup"]
        Resource  = "arn:${local.partition}:autoscaling:${var.region}:${local.account}:autoScalingGroup:*"
        Condition = { StringEquals = { "aws:ResourceTag/k8s.io/cluster-autoscaler/${var.name}" = "owned" } }
      },
    ]
  })
}

resource "aws_eks_pod_identity_association" "autoscaler" {
  count = var.nodes == "groups" ? 1 : 0

  cluster_name    = aws_eks_cluster.this.name
  namespace       = "kube-system"
  service_account = "cluster-autoscaler"
  role_arn        = aws_iam_role.autoscaler[0].arn
}
