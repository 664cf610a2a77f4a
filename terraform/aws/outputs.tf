output "cluster" {
  description = "Name of the cluster."
  value       = aws_eks_cluster.this.name
}

output "kubeconfig_command" {
  description = "Adds the cluster to your kubeconfig."
  value       = "aws eks update-kubeconfig --region ${var.region} --name ${aws_eks_cluster.this.name}"
}

output "registry" {
  description = "For ./knabla images --push."
  value       = "${local.account}.dkr.ecr.${var.region}.${data.aws_partition.this.dns_suffix}/${var.name}/knabla"
}

output "store" {
  description = "Location of the store."
  value       = "s3://${aws_s3_bucket.store.id}/${trimsuffix(local.prefix, "/")}"
}

output "account" {
  description = "The file k8s/overlays/aws/account.yaml: terraform output -raw account > ../../k8s/overlays/aws/account.yaml"
  value = yamlencode({
    apiVersion = "v1"
    kind       = "ConfigMap"
    metadata   = { name = "account", annotations = { "config.kubernetes.io/local-config" = "true" } }
    data = {
      cluster        = aws_eks_cluster.this.name
      nodeRole       = aws_iam_role.node.name
      region         = var.region
      store          = "s3://${aws_s3_bucket.store.id}/${trimsuffix(local.prefix, "/")}"
      controllerRole = aws_iam_role.knabla["controller"].arn
      replicaRole    = aws_iam_role.knabla["replica"].arn
      signalQueue    = aws_sqs_queue.signals.url
    }
  })
}

output "interruption_queue" {
  description = "URL of the queue that Karpenter reads the events of instances from."
  value       = aws_sqs_queue.interruption.url
}

output "prometheus" {
  description = "Endpoint of Amazon Managed Prometheus; null without it."
  value       = one(aws_prometheus_workspace.this[*].prometheus_endpoint)
}
