resource "aws_cloudwatch_log_group" "this" {
  for_each = { cluster = "/aws/eks/${var.name}/cluster", network = "/aws/vpc/${var.name}" }

  name              = each.value
  retention_in_days = var.log_days
  kms_key_id        = aws_kms_key.cluster.arn
}

# Connections that were refused; those that were not would cost far more than they tell.
resource "aws_flow_log" "this" {
  vpc_id          = aws_vpc.this.id
  traffic_type    = "REJECT"
  log_destination = aws_cloudwatch_log_group.this["network"].arn
  iam_role_arn    = aws_iam_role.flow_log.arn
}

resource "aws_iam_role" "flow_log" {
  name = "${var.name}-flow-log"
  assume_role_policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Principal = { Service = "vpc-flow-logs.amazonaws.com" }
      Action    = "sts:AssumeRole"
      Condition = { StringEquals = { "aws:SourceAccount" = local.account } }
    }]
  })
}

resource "aws_iam_role_policy" "flow_log" {
  name = "write"
  role = aws_iam_role.flow_log.id
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect   = "Allow"
      Action   = ["logs:CreateLogStream", "logs:PutLogEvents", "logs:DescribeLogStreams"]
      Resource = "${aws_cloudwatch_log_group.this["network"].arn}:*"
    }]
  })
}

locals {
  # Pods that write to CloudWatch or to Prometheus, by their switch.
  writers = merge(
    var.container_insights ? { cloudwatch = { namespace = "amazon-cloudwatch", account = "cloudwatch-agent" } } : {},
    var.managed_prometheus ? { prometheus = { namespace = "monitoring", account = "prometheus" } } : {},
  )
}

resource "aws_prometheus_workspace" "this" {
  count = var.managed_prometheus ? 1 : 0

  alias       = var.name
  kms_key_arn = aws_kms_key.store.arn
}

resource "aws_iam_role" "writer" {
  for_each = local.writers

  name               = "${var.name}-${each.key}"
  assume_role_policy = local.pod_identity_trust
}

resource "aws_eks_pod_identity_association" "writer" {
  for_each = local.writers

  cluster_name    = aws_eks_cluster.this.name
  namespace       = each.value.namespace
  service_account = each.value.account
  role_arn        = aws_iam_role.writer[each.key].arn
}

resource "aws_iam_role_policy_attachment" "cloudwatch" {
  count = var.container_insights ? 1 : 0

  role       = aws_iam_role.writer["cloudwatch"].name
  policy_arn = "arn:${local.partition}:iam::aws:policy/CloudWatchAgentServerPolicy"
}

resource "aws_iam_role_policy" "prometheus" {
  count = var.managed_prometheus ? 1 : 0

  name = "write"
  role = aws_iam_role.writer["prometheus"].id
  policy = jsonencode({
    Version   = "2012-10-17"
    Statement = [{ Effect = "Allow", Action = "aps:RemoteWrite", Resource = aws_prometheus_workspace.this[0].arn }]
  })
}
