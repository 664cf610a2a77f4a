/**
 * The gRPC service {@code inference.GRPCInferenceService} of the Open Inference Protocol, as a translation to its HTTP
 * form; start at {@link io.knabla.runtime.grpc.GrpcHandler}.
 *
 * <p>Why a translation: queues, deadlines, splits, retries, metrics and costs see one protocol only. Why no protobuf
 * library: a dozen flat messages need these few lines, and a replica links no library that it can do without.
 *
 * <p>Reflection tells what {@code src/main/proto} says. After a change there: {@code python -m grpc_tools.protoc -I.
 * --descriptor_set_out=../resources/io/knabla/runtime/grpc/services.protoset inference.proto health.proto}
 */
package io.knabla.runtime.grpc;
