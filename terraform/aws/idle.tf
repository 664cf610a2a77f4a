# What AWS charges for by the hour or the month while no function runs. A test compares these counts with idle-cost.csv.
locals {
  billed = {
    "EKS cluster"                           = 1
    "${local.size.instance_type} on demand" = aws_eks_node_group.system.scaling_config[0].desired_size
    "gp3 GiB"                               = local.size.nodes * aws_launch_template.node["system"].block_device_mappings[0].ebs[0].volume_size
    "NAT gateway"                           = length(aws_nat_gateway.this)
    "interface endpoint in a zone"          = length(aws_vpc_endpoint.interface) * local.size.endpoint_zones
    "load balancer"                         = 1 # Knative's ingress makes it, with an address in each zone if it is public.
    "public IPv4 address"                   = length(aws_eip.nat) + length(local.zones)
    "KMS key"                               = length([aws_kms_key.store, aws_kms_key.cluster])
  }
  priced = { for row in csvdecode(file("${path.module}/idle-cost.csv")) : row.item => row if row.size == var.size }
}

output "idle_usd_per_month" {
  description = "Cost of 730 hours without functions, traffic, logs and stored bytes, in US dollars, at the prices of us-east-1."
  value       = format("%.2f", sum([for row in local.priced : tonumber(row.usd_per_month)]))
}
