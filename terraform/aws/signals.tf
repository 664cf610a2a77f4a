# What EC2 announces of its instances, for the two that act on it: Karpenter and Knabla. Each has a queue of its own, since
# a message is given to one reader only.
locals {
  # By detail-type; AWS Health Events only of EC2.
  events = {
    spot-interruption        = { source = "aws.ec2", type = "EC2 Spot Instance Interruption Warning" }
    rebalance                = { source = "aws.ec2", type = "EC2 Instance Rebalance Recommendation" }
    state-change             = { source = "aws.ec2", type = "EC2 Instance State-change Notification" }
    reservation-interruption = { source = "aws.ec2", type = "EC2 Capacity Reservation Instance Interruption Warning" }
    health                   = { source = "aws.health", type = "AWS Health Event" }
  }

  queues = { interruption = aws_sqs_queue.interruption, signals = aws_sqs_queue.signals, parked = aws_sqs_queue.parked }
}

resource "aws_cloudwatch_event_rule" "this" {
  for_each = local.events

  name = "${var.name}-${each.key}"
  event_pattern = jsonencode(merge(
    { source = [each.value.source], detail-type = [each.value.type] },
    { for key, value in { detail = { service = ["EC2"] } } : key => value if each.key == "health" },
  ))
}

resource "aws_cloudwatch_event_target" "karpenter" {
  for_each = local.events

  rule = aws_cloudwatch_event_rule.this[each.key].name
  arn  = aws_sqs_queue.interruption.arn
}

resource "aws_cloudwatch_event_target" "knabla" {
  for_each = local.events

  rule = aws_cloudwatch_event_rule.this[each.key].name
  arn  = aws_sqs_queue.signals.arn
}

resource "aws_sqs_queue" "interruption" {
  name = "${var.name}-interruption"
  # A notice is worth nothing after two minutes.
  message_retention_seconds = 300
  sqs_managed_sse_enabled   = true
}

resource "aws_sqs_queue" "signals" {
  name                      = "${var.name}-signals"
  message_retention_seconds = 300
  sqs_managed_sse_enabled   = true
  redrive_policy            = jsonencode({ deadLetterTargetArn = aws_sqs_queue.parked.arn, maxReceiveCount = 3 })
}

# Messages that Knabla does not understand, for two weeks.
resource "aws_sqs_queue" "parked" {
  name                      = "${var.name}-signals-parked"
  message_retention_seconds = 1209600
  sqs_managed_sse_enabled   = true
}

resource "aws_sqs_queue_policy" "this" {
  for_each = local.queues

  queue_url = each.value.url
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = concat(
      [for statement in [{
        Sid       = "Events"
        Effect    = "Allow"
        Principal = { Service = "events.amazonaws.com" }
        Action    = "sqs:SendMessage"
        Resource  = each.value.arn
        Condition = { ArnEquals = { "aws:SourceArn" = [for rule in aws_cloudwatch_event_rule.this : rule.arn] } }
      }] : statement if each.key != "parked"],
      [{
        Sid       = "OnlyTls"
        Effect    = "Deny"
        Principal = "*"
        Action    = "sqs:*"
        Resource  = each.value.arn
        Condition = { Bool = { "aws:SecureTransport" = "false" } }
      }],
    )
  })
}

resource "aws_iam_role_policy" "signals" {
  name = "signals"
  role = aws_iam_role.knabla["controller"].id
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Sid      = "ReadSignals"
      Effect   = "Allow"
      Action   = ["sqs:ReceiveMessage", "sqs:DeleteMessage"]
      Resource = aws_sqs_queue.signals.arn
    }]
  })
}
