locals {
  bucket = coalesce(var.bucket, "${var.name}-${local.account}-${var.region}")
  # As in a store's location, s3://bucket/knabla, with the slash at the end that the policies want.
  prefix = "knabla/"
}

# The account's own trail logs access, where it is asked for; what Knabla stores can be made again from models.
resource "aws_s3_bucket" "store" {
  #checkov:skip=CKV_AWS_18:access is logged by the account's trail
  #checkov:skip=CKV_AWS_144:models are where they came from; replicate the bucket if yours are not
  #checkov:skip=CKV2_AWS_62:nobody listens to events of the bucket
  bucket        = local.bucket
  force_destroy = var.destroy_data
}

resource "aws_s3_bucket_public_access_block" "store" {
  bucket = aws_s3_bucket.store.id

  block_public_acls       = true
  block_public_policy     = true
  ignore_public_acls      = true
  restrict_public_buckets = true
}

resource "aws_s3_bucket_ownership_controls" "store" {
  bucket = aws_s3_bucket.store.id

  rule {
    object_ownership = "BucketOwnerEnforced"
  }
}

resource "aws_s3_bucket_server_side_encryption_configuration" "store" {
  bucket = aws_s3_bucket.store.id

  rule {
    bucket_key_enabled = true
    apply_server_side_encryption_by_default {
      sse_algorithm     = "aws:kms"
      kms_master_key_id = aws_kms_key.store.arn
    }
  }
}

resource "aws_s3_bucket_versioning" "store" {
  bucket = aws_s3_bucket.store.id

  versioning_configuration {
    status = "Enabled"
  }
}

# Knabla replaces its catalog often, so old versions go after a week; and it deletes what it does not need by itself.
resource "aws_s3_bucket_lifecycle_configuration" "store" {
  bucket = aws_s3_bucket.store.id

  rule {
    id     = "abandoned-uploads"
    status = "Enabled"
    filter {}
    abort_incomplete_multipart_upload {
      days_after_initiation = 7
    }
  }

  rule {
    id     = "old-versions"
    status = "Enabled"
    filter {
      prefix = local.prefix
    }
    noncurrent_version_expiration {
      noncurrent_days = 7
    }
    expiration {
      expired_object_delete_marker = true
    }
  }

  # Records of usage are read seldom after a quarter. Knabla's own retention deletes them.
  rule {
    id     = "old-usage"
    status = "Enabled"
    filter {
      and {
        prefix                   = "${local.prefix}usage/"
        object_size_greater_than = 131072
      }
    }
    transition {
      days          = 90
      storage_class = "STANDARD_IA"
    }
  }

  depends_on = [aws_s3_bucket_versioning.store]
}

resource "aws_s3_bucket_policy" "store" {
  bucket = aws_s3_bucket.store.id
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Sid       = "OnlyTls"
      Effect    = "Deny"
      Principal = "*"
      Action    = "s3:*"
      Resource  = [aws_s3_bucket.store.arn, "${aws_s3_bucket.store.arn}/*"]
      Condition = { Bool = { "aws:SecureTransport" = "false" } }
    }]
  })

  depends_on = [aws_s3_bucket_public_access_block.store]
}

resource "aws_kms_key" "store" {
  description             = "Objects and images of ${var.name}"
  enable_key_rotation     = true
  deletion_window_in_days = 7
  policy                  = local.key_policy
}

resource "aws_kms_key" "cluster" {
  description             = "Secrets and logs of ${var.name}"
  enable_key_rotation     = true
  deletion_window_in_days = 7
  policy                  = local.log_key_policy
}

locals {
  # Rights on a key are given by IAM. Of a key's own policy, * is that key.
  key_statement = {
    Sid       = "AccountByIam"
    Effect    = "Allow"
    Principal = { AWS = "arn:${local.partition}:iam::${local.account}:root" }
    Action    = "kms:*"
    Resource  = "*"
  }
  key_policy = jsonencode({ Version = "2012-10-17", Statement = [local.key_statement] })
  log_key_policy = jsonencode({
    Version = "2012-10-17"
    Statement = [local.key_statement, {
      Sid       = "Logs"
      Effect    = "Allow"
      Principal = { Service = "logs.${var.region}.amazonaws.com" }
      Action    = ["kms:Encrypt", "kms:Decrypt", "kms:ReEncrypt*", "kms:GenerateDataKey*", "kms:DescribeKey"]
      Resource  = "*"
      Condition = { ArnLike = { "kms:EncryptionContext:aws:logs:arn" = "arn:${local.partition}:logs:${var.region}:${local.account}:log-group:*" } }
    }]
  })
}
