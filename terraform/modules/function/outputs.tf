output "url" {
  description = "Where the function is called; the Open Inference Protocol v2 lies below it."
  value       = data.kubernetes_resource.function.object.status.url
}

output "version" {
  description = "The newest version that is ready."
  value       = data.kubernetes_resource.function.object.status.readyVersion
}
