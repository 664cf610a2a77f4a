# What Karpenter needs outside of the cluster: a role. Its queue is in signals.tf.
locals {
  ec2 = "arn:${local.partition}:ec2:${var.region}"

  owned = { "aws:ResourceTag/kubernetes.io/cluster/${var.name}" = "owned" }
  asked = { "aws:RequestTag/kubernetes.io/cluster/${var.name}" = "owned" }
  pool  = { "aws:RequestTag/karpenter.sh/nodepool" = "*" }

  karpenter_statements = [
    {
      Sid    = "LaunchFromWhatIsThere"
      Effect = "Allow"
      Action = ["ec2:RunInstances", "ec2:CreateFleet"]
      Resource = [
        "${local.ec2}::image/*", "${local.ec2}::snapshot/*", "${local.ec2}:*:security-group/*",
        "${local.ec2}:*:subnet/*", "${local.ec2}:*:capacity-reservation/*", "${local.ec2}:*:placement-group/*",
      ]
    },
    {
      Sid       = "LaunchFromOwnTemplates"
      Effect    = "Allow"
      Action    = ["ec2:RunInstances", "ec2:CreateFleet"]
      Resource  = "${local.ec2}:*:launch-template/*"
      Condition = { StringEquals = local.owned }
    },
    {
      Sid    = "CreateWithTags"
      Effect = "Allow"
      Action = ["ec2:RunInstances", "ec2:CreateFleet", "ec2:CreateLaunchTemplate"]
      Resource = [
        for kind in ["fleet", "instance", "volume", "network-interface", "launch-template", "spot-instances-request"] : "${local.ec2}:*:${kind}/*"
      ]
      Condition = { StringEquals = local.asked, StringLike = local.pool }
    },
    {
      Sid    = "TagAtCreation"
      Effect = "Allow"
      Action = "ec2:CreateTags"
      Resource = [
        for kind in ["fleet", "instance", "volume", "network-interface", "launch-template", "spot-instances-request"] : "${local.ec2}:*:${kind}/*"
      ]
      Condition = {
        StringEquals = merge(local.asked, { "ec2:CreateAction" = ["RunInstances", "CreateFleet", "CreateLaunchTemplate"] })
        StringLike   = local.pool
      }
    },
    {
      Sid       = "NameOwnInstances"
      Effect    = "Allow"
      Action    = "ec2:CreateTags"
      Resource  = "${local.ec2}:*:instance/*"
      Condition = { StringEquals = local.owned, "ForAllValues:StringEquals" = { "aws:TagKeys" = ["Name", "eks:eks-cluster-name", "karpenter.sh/nodeclaim"] } }
    },
    {
      Sid       = "EndWhatIsOwn"
      Effect    = "Allow"
      Action    = ["ec2:TerminateInstances", "ec2:DeleteLaunchTemplate"]
      Resource  = ["${local.ec2}:*:instance/*", "${local.ec2}:*:launch-template/*"]
      Condition = { StringEquals = local.owned }
    },
    {
      # These actions know no resources.
      Sid    = "ReadEc2"
      Effect = "Allow"
      Action = [
        "ec2:DescribeAvailabilityZones", "ec2:DescribeCapacityReservations", "ec2:DescribeImages", "ec2:DescribeInstanceStatus",
        "ec2:DescribeInstanceTypeOfferings", "ec2:DescribeInstanceTypes", "ec2:DescribeInstances", "ec2:DescribeLaunchTemplates",
        "ec2:DescribePlacementGroups", "ec2:DescribeSecurityGroups", "ec2:DescribeSpotPriceHistory", "ec2:DescribeSubnets",
      ]
      Resource  = "*"
      Condition = { StringEquals = { "aws:RequestedRegion" = var.region } }
    },
    { Sid = "ReadPrices", Effect = "Allow", Action = "pricing:GetProducts", Resource = "*" },
    { Sid = "ReadImageIds", Effect = "Allow", Action = "ssm:GetParameter", Resource = "arn:${local.partition}:ssm:${var.region}::parameter/aws/service/*" },
    {
      Sid      = "ReadInterruptions"
      Effect   = "Allow"
      Action   = ["sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueUrl"]
      Resource = aws_sqs_queue.interruption.arn
    },
    {
      Sid       = "GiveNodesTheirRole"
      Effect    = "Allow"
      Action    = "iam:PassRole"
      Resource  = aws_iam_role.node.arn
      Condition = { StringEquals = { "iam:PassedToService" = "ec2.amazonaws.com" } }
    },
    {
      Sid       = "CreateOwnProfiles"
      Effect    = "Allow"
      Action    = ["iam:CreateInstanceProfile", "iam:TagInstanceProfile"]
      Resource  = "arn:${local.partition}:iam::${local.account}:instance-profile/*"
      Condition = { StringEquals = merge(local.asked, { "aws:RequestTag/topology.kubernetes.io/region" = var.region }) }
    },
    {
      Sid       = "ChangeOwnProfiles"
      Effect    = "Allow"
      Action    = ["iam:AddRoleToInstanceProfile", "iam:RemoveRoleFromInstanceProfile", "iam:DeleteInstanceProfile"]
      Resource  = "arn:${local.partition}:iam::${local.account}:instance-profile/*"
      Condition = { StringEquals = merge(local.owned, { "aws:ResourceTag/topology.kubernetes.io/region" = var.region }) }
    },
    { Sid = "ReadProfiles", Effect = "Allow", Action = "iam:GetInstanceProfile", Resource = "arn:${local.partition}:iam::${local.account}:instance-profile/*" },
    { Sid = "ListProfiles", Effect = "Allow", Action = "iam:ListInstanceProfiles", Resource = "*" },
    { Sid = "ReadCluster", Effect = "Allow", Action = "eks:DescribeCluster", Resource = aws_eks_cluster.this.arn },
  ]
}

resource "aws_iam_role" "karpenter" {
  count = var.nodes == "karpenter" ? 1 : 0

  name               = "${var.name}-karpenter"
  assume_role_policy = local.pod_identity_trust
}

resource "aws_iam_role_policy" "karpenter" {
  count = var.nodes == "karpenter" ? 1 : 0

  name   = "karpenter"
  role   = aws_iam_role.karpenter[0].id
  policy = jsonencode({ Version = "2012-10-17", Statement = local.karpenter_statements })
}

resource "aws_eks_pod_identity_association" "karpenter" {
  count = var.nodes == "karpenter" ? 1 : 0

  cluster_name    = aws_eks_cluster.this.name
  namespace       = "kube-system"
  service_account = "karpenter"
  role_arn        = aws_iam_role.karpenter[0].arn
}
