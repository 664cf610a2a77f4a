# What runs in the cluster before k8s/overlays/aws is applied. With charts = false, install the same by other means.
locals {
  charts = {
    for name, chart in {
      knative-operator = {
        enabled    = true
        repository = "https://knative.github.io/operator"
        chart      = "knative-operator"
        version    = var.chart_versions.knative_operator
        namespace  = "knative-operator"
        values     = {}
      }
      # The overlay has a ServiceMonitor.
      prometheus = {
        enabled    = true
        repository = "https://prometheus-community.github.io/helm-charts"
        chart      = "kube-prometheus-stack"
        version    = var.chart_versions.prometheus
        namespace  = "monitoring"
        values = {
          alertmanager = { enabled = false }
          grafana      = { enabled = false }
          prometheus = {
            serviceAccount = { name = "prometheus" }
            prometheusSpec = {
              serviceMonitorSelectorNilUsesHelmValues = false
              retention                               = "6h"
              remoteWrite = [for workspace in aws_prometheus_workspace.this : {
                url   = "${workspace.prometheus_endpoint}api/v1/remote_write"
                sigv4 = { region = var.region }
              }]
            }
          }
        }
      }
      # The chart's own affinity waits for labels of another operator; our pools say what they are.
      nvidia = {
        enabled    = true
        repository = "https://nvidia.github.io/k8s-device-plugin"
        chart      = "nvidia-device-plugin"
        version    = var.chart_versions.nvidia
        namespace  = "kube-system"
        values     = { affinity = null, nodeSelector = { "knabla.dev/pool" = "gpu" } }
      }
      karpenter = {
        enabled    = var.nodes == "karpenter"
        repository = "oci://public.ecr.aws/karpenter"
        chart      = "karpenter"
        version    = var.chart_versions.karpenter
        namespace  = "kube-system"
        values = {
          settings   = { clusterName = var.name, interruptionQueue = aws_sqs_queue.interruption.name }
          controller = { resources = { requests = { cpu = "500m", memory = "512Mi" }, limits = { memory = "1Gi" } } }
        }
      }
      cluster-autoscaler = {
        enabled    = var.nodes == "groups"
        repository = "https://kubernetes.github.io/autoscaler"
        chart      = "cluster-autoscaler"
        version    = var.chart_versions.cluster_autoscaler
        namespace  = "kube-system"
        values = {
          autoDiscovery = { clusterName = var.name }
          awsRegion     = var.region
          rbac          = { serviceAccount = { name = "cluster-autoscaler" } }
          extraArgs     = { expander = "least-waste", balance-similar-node-groups = true }
        }
      }
    } : name => chart if var.charts && chart.enabled
  }
}

resource "helm_release" "this" {
  for_each = local.charts

  name             = each.key
  repository       = each.value.repository
  chart            = each.value.chart
  version          = each.value.version
  namespace        = each.value.namespace
  create_namespace = true
  values           = [yamlencode(each.value.values)]
  timeout          = 900

  depends_on = [
    aws_eks_addon.late, aws_route.nat, aws_route.internet, aws_route_table_association.private, aws_route_table_association.public,
    aws_eks_pod_identity_association.karpenter, aws_eks_pod_identity_association.autoscaler, aws_eks_pod_identity_association.writer,
  ]
}

resource "helm_release" "knative_serving" {
  count = var.charts ? 1 : 0

  name             = "knative-serving"
  chart            = "${path.module}/charts/knative-serving"
  namespace        = "knative-serving"
  create_namespace = true
  values = [yamlencode({ spec = {
    version = "1.22"
    ingress = { kourier = { enabled = true } }
    config = {
      features = local.features
      domain   = { (var.domain) = "" }
      network  = { ingress-class = "kourier.ingress.networking.knative.dev" }
    }
    services = [{
      name = "kourier"
      annotations = {
        "service.beta.kubernetes.io/aws-load-balancer-internal"  = tostring(length(var.function_allowed_cidrs) == 0)
        "service.beta.kubernetes.io/load-balancer-source-ranges" = join(",", coalescelist(var.function_allowed_cidrs, ["0.0.0.0/0"]))
      }
    }]
  } })]

  depends_on = [helm_release.this]
}
