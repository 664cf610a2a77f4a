resource "aws_budgets_budget" "this" {
  count = var.budget == null ? 0 : 1

  name         = var.name
  budget_type  = "COST"
  limit_amount = tostring(var.budget.usd)
  limit_unit   = "USD"
  time_unit    = "MONTHLY"

  # It counts once the tag is activated as a cost allocation tag.
  cost_filter {
    name   = "TagKeyValue"
    values = [join("$", ["user:knabla.dev/cluster", var.name])]
  }

  dynamic "notification" {
    for_each = { ACTUAL = 80, FORECASTED = 100 }
    content {
      notification_type          = notification.key
      threshold                  = notification.value
      threshold_type             = "PERCENTAGE"
      comparison_operator        = "GREATER_THAN"
      subscriber_email_addresses = [var.budget.email]
    }
  }
}
