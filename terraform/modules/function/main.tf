locals {
  uploaded = var.model_file == null ? {} : { model = "sha256:${filesha256(var.model_file)}" }
  sent     = merge(local.spec, local.uploaded)

  # Names this spec: the condition Ready alone may still speak of the one before.
  change = substr(sha256(jsonencode(local.sent)), 0, 12)
}

resource "terraform_data" "model" {
  for_each = local.uploaded

  triggers_replace = each.value

  provisioner "local-exec" {
    command     = "curl --fail-with-body --silent --show-error --oauth2-bearer \"$KNABLA_TOKEN\" --upload-file \"$FILE\" \"$${KNABLA_SERVER:?is not set: the URL of the platform that the model is uploaded to}/api/v1/models/$DIGEST\""
    environment = { FILE = abspath(var.model_file), DIGEST = each.value }
  }
}

resource "kubernetes_manifest" "function" {
  manifest = {
    apiVersion = "knabla.dev/v1alpha1"
    kind       = "Function"
    metadata = merge(
      { name = var.name, namespace = var.namespace, annotations = { "knabla.dev/change" = local.change } },
      { for key, value in { labels = var.labels } : key => value if length(value) > 0 },
    )
    spec = local.sent
  }

  field_manager {
    force_conflicts = var.take_over
  }

  wait {
    condition {
      type   = "Ready-${local.change}"
      status = "True"
    }
  }

  timeouts {
    create = var.wait
    update = var.wait
    delete = "5m"
  }

  lifecycle {
    precondition {
      condition     = length(local.faults) == 0
      error_message = join("\n", local.faults)
    }
  }

  depends_on = [terraform_data.model]
}

# The provider keeps no status of a manifest.
data "kubernetes_resource" "function" {
  api_version = "knabla.dev/v1alpha1"
  kind        = "Function"

  metadata {
    name      = var.name
    namespace = var.namespace
  }

  depends_on = [kubernetes_manifest.function]
}
