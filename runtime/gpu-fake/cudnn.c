/* What ONNX Runtime's CUDA provider looks up in libcudnn.so.9 by name. Convolutions fail with it. */
#include "nothing.h"

size_t cudnnGetVersion(void) {
    return 91200;
}

const char *cudnnGetErrorString(int status) {
    return status == 0 ? "CUDNN_STATUS_SUCCESS" : "CUDNN_STATUS_FAKE";
}

void cudnnGetLastErrorString(char *text, size_t size) {
    if (size > 0) {
        text[0] = 0;
    }
}

int cudnnGetStream(void *handle, void **stream) {
    (void)handle;
    *stream = NULL;
    return 0;
}

/* Its planner of convolutions is not imitated. */
#define UNSUPPORTED(function) \
    int function(void) {      \
        return 3000;          \
    }

UNSUPPORTED(cudnnBackendCreateDescriptor)
UNSUPPORTED(cudnnBackendDestroyDescriptor)
UNSUPPORTED(cudnnBackendExecute)
UNSUPPORTED(cudnnBackendFinalize)
UNSUPPORTED(cudnnBackendGetAttribute)
UNSUPPORTED(cudnnBackendSetAttribute)
UNSUPPORTED(cudnnGetConvolutionForwardAlgorithm_v7)
UNSUPPORTED(cudnnGetConvolutionForwardWorkspaceSize)

HANDLE(cudnnCreate)
HANDLE(cudnnCreateActivationDescriptor)
HANDLE(cudnnCreateConvolutionDescriptor)
HANDLE(cudnnCreateDropoutDescriptor)
HANDLE(cudnnCreateFilterDescriptor)
HANDLE(cudnnCreateLRNDescriptor)
HANDLE(cudnnCreatePoolingDescriptor)
HANDLE(cudnnCreateRNNDataDescriptor)
HANDLE(cudnnCreateRNNDescriptor)
HANDLE(cudnnCreateReduceTensorDescriptor)
HANDLE(cudnnCreateTensorDescriptor)
NOTHING(cudnnActivationForward)
NOTHING(cudnnAddTensor)
NOTHING(cudnnBatchNormalizationForwardInference)
NOTHING(cudnnBatchNormalizationForwardTraining)
NOTHING(cudnnConvolutionBiasActivationForward)
NOTHING(cudnnConvolutionForward)
NOTHING(cudnnDeriveBNTensorDescriptor)
NOTHING(cudnnDestroy)
NOTHING(cudnnDestroyActivationDescriptor)
NOTHING(cudnnDestroyConvolutionDescriptor)
NOTHING(cudnnDestroyDropoutDescriptor)
NOTHING(cudnnDestroyFilterDescriptor)
NOTHING(cudnnDestroyLRNDescriptor)
NOTHING(cudnnDestroyPoolingDescriptor)
NOTHING(cudnnDestroyRNNDataDescriptor)
NOTHING(cudnnDestroyRNNDescriptor)
NOTHING(cudnnDestroyReduceTensorDescriptor)
NOTHING(cudnnDestroyTensorDescriptor)
NOTHING(cudnnDropoutGetStatesSize)
NOTHING(cudnnFindConvolutionForwardAlgorithmEx)
NOTHING(cudnnGetRNNTempSpaceSizes)
NOTHING(cudnnGetRNNWeightParams)
NOTHING(cudnnGetReductionIndicesSize)
NOTHING(cudnnGetReductionWorkspaceSize)
NOTHING(cudnnGetTensorNdDescriptor)
NOTHING(cudnnLRNCrossChannelForward)
NOTHING(cudnnPoolingForward)
NOTHING(cudnnRNNForward)
NOTHING(cudnnReduceTensor)
NOTHING(cudnnSetActivationDescriptor)
NOTHING(cudnnSetConvolutionGroupCount)
NOTHING(cudnnSetConvolutionMathType)
NOTHING(cudnnSetConvolutionNdDescriptor)
NOTHING(cudnnSetDropoutDescriptor)
NOTHING(cudnnSetFilterNdDescriptor)
NOTHING(cudnnSetLRNDescriptor)
NOTHING(cudnnSetPoolingNdDescriptor)
NOTHING(cudnnSetRNNDataDescriptor)
NOTHING(cudnnSetRNNDescriptor_v8)
NOTHING(cudnnSetReduceTensorDescriptor)
NOTHING(cudnnSetStream)
NOTHING(cudnnSetTensorNdDescriptor)
NOTHING(cudnnSoftmaxForward)
