# What k8s/ says is read from there, and written nowhere else.
locals {
  manifests = "${path.module}/../../k8s"
  size      = jsondecode(file("${path.module}/sizes.json"))[var.size]
  account   = data.aws_caller_identity.this.account_id
  partition = data.aws_partition.this.partition

  # Activate knabla.dev/cluster as a cost allocation tag, in the account that pays.
  tags = merge(var.tags, { "knabla.dev/cluster" = var.name, "app.kubernetes.io/part-of" = "knabla" })

  karpenter = flatten([
    for file in ["cpu.yaml", "gpu.yaml"] : [
      for document in split("\n---\n", file("${local.manifests}/components/karpenter/${file}")) : yamldecode(document)
    ]
  ])

  # By name: labels, taints, capacity (on-demand or spot) and kind (cpu or gpu).
  pools = {
    for pool in local.karpenter : pool.metadata.name => {
      labels   = pool.spec.template.metadata.labels
      taints   = try(pool.spec.template.spec.taints, [])
      capacity = one([for r in pool.spec.template.spec.requirements : r.values[0] if r.key == "karpenter.sh/capacity-type"])
      kind     = pool.spec.template.metadata.labels["knabla.dev/pool"]
    } if pool.kind == "NodePool"
  }

  images   = [for image in yamldecode(file("${local.manifests}/images/kustomization.yaml")).images : image.name]
  features = yamldecode(file("${local.manifests}/knative-settings/features.yaml")).data

  controller = yamldecode(file("${local.manifests}/components/roles/account.yaml")).metadata
  check      = yamldecode(file("${local.manifests}/components/roles/check.yaml")).metadata
}
