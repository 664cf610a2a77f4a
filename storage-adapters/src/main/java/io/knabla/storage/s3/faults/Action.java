package io.knabla.storage.s3.faults;

/** The operation that failed, as a verb and as the IAM permission it needs ("Actions for Amazon S3"). */
public enum Action {
    READ("read", "s3:GetObject"),
    WRITE("write", "s3:PutObject"),
    LIST("list", "s3:ListBucket"),
    DELETE("delete", "s3:DeleteObject"),
    ABORT("give up uploads below", "s3:AbortMultipartUpload"),
    LIST_PARTS("list the parts of", "s3:ListMultipartUploadParts"),
    LIST_UPLOADS("list uploads below", "s3:ListBucketMultipartUploads");

    final String verb;
    final String permission;

    Action(String verb, String permission) {
        this.verb = verb;
        this.permission = permission;
    }
}
