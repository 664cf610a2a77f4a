/** A proxy between a client and an S3 server that does to requests and answers what networks do. */
package io.knabla.storage.s3.faults;
