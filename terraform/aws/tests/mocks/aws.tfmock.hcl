# What AWS answers in tests, where a name, an ARN or a list must be well formed.

mock_data "aws_availability_zones" {
  defaults = { names = ["eu-central-1a", "eu-central-1b", "eu-central-1c", "eu-central-1d"] }
}
mock_data "aws_caller_identity" {
  defaults = { account_id = "111122223333" }
}
mock_data "aws_partition" {
  defaults = { partition = "aws", dns_suffix = "amazonaws.com" }
}
mock_resource "aws_eks_cluster" {
  defaults = {
    arn                   = "arn:aws:eks:eu-central-1:111122223333:cluster/knabla"
    certificate_authority = [{ data = "bW9jaw==" }]
    identity              = [{ oidc = [{ issuer = "https://oidc.eks.eu-central-1.amazonaws.com/id/MOCK" }] }]
  }
}
mock_resource "aws_iam_openid_connect_provider" {
  defaults = { arn = "arn:aws:iam::111122223333:oidc-provider/oidc.eks.eu-central-1.amazonaws.com/id/MOCK" }
}
mock_resource "aws_iam_role" {
  defaults = { arn = "arn:aws:iam::111122223333:role/mock" }
}
mock_resource "aws_kms_key" {
  defaults = { arn = "arn:aws:kms:eu-central-1:111122223333:key/mock" }
}
mock_resource "aws_s3_bucket" {
  defaults = { arn = "arn:aws:s3:::knabla-111122223333-eu-central-1" }
}
mock_resource "aws_sqs_queue" {
  defaults = { arn = "arn:aws:sqs:eu-central-1:111122223333:knabla-interruption", url = "https://sqs.eu-central-1.amazonaws.com/111122223333/knabla-interruption" }
}
mock_resource "aws_cloudwatch_event_rule" {
  defaults = { arn = "arn:aws:events:eu-central-1:111122223333:rule/mock" }
}
mock_resource "aws_cloudwatch_log_group" {
  defaults = { arn = "arn:aws:logs:eu-central-1:111122223333:log-group:mock" }
}
mock_resource "aws_eks_node_group" {
  defaults = { arn = "arn:aws:eks:eu-central-1:111122223333:nodegroup/knabla/mock/mock" }
}
mock_resource "aws_prometheus_workspace" {
  defaults = { arn = "arn:aws:aps:eu-central-1:111122223333:workspace/mock", prometheus_endpoint = "https://aps-workspaces.eu-central-1.amazonaws.com/workspaces/mock/" }
}
mock_resource "aws_launch_template" {
  defaults = { id = "lt-0123456789abcdef0", latest_version = 1 }
}
