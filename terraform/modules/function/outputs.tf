output "url" {
  description = "Where the function is called; the Open Inference Protocol v2 lies below it."
  value       = data.kubernetes_resource.function.object.status.url
}

output "version" {
  description = "The newest version that is ready."
  value       = data.kubernetes_resource.function.object.status.readyVersion
}

output "model" {
  description = "The model: of a local file, sha256: and the digest that it was uploaded by."
  value       = local.sent.model
  depends_on  = [terraform_data.model]
}
