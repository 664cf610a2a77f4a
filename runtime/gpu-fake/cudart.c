/*
 * The 69 functions of libcudart.so.13 that ONNX Runtime's CUDA provider uses, on a machine without a GPU. Device memory is
 * memory of the process, so copies are real; kernels compute nothing. A test sets, by files in the folder "fake" beside the library:
 *
 *   bytes       size of the device's memory; otherwise 80 GiB
 *   capability  compute capability times ten; otherwise 90
 *   driver      version of CUDA that the driver supports; otherwise 13000
 *   error       result of the functions that ask for the device: 35 driver too old, 100 no device
 *   copy-error  result of every asynchronous copy
 *   copy-delay  microseconds that each asynchronous copy takes longer
 *   launch-error  result of every kernel
 *   pinned-error  result of every cudaHostAlloc
 *
 * "log" gets a line for each allocation, copy and kernel: "malloc BYTES USED", "free BYTES USED", "pinned BYTES",
 * "unpinned BYTES", "not pinned BYTES", "copy KIND BYTES" (kind 1 to the device, 2 from it, 3 on it), before it "direct KIND BYTES" where the host's side
 * is pinned, "launch", "cleared ERROR" by cudaGetLastError; and once for each process "opened PID" when it opens
 * this library, and "context PID" when it makes what NVIDIA's library makes at the first use of a device.
 */
#include "settings.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SUCCESS = 0, OUT_OF_MEMORY = 2, ALIGNMENT = 256, TO_DEVICE = 1, ON_DEVICE = 3 };

/* Of a thread, until it asks. */
static _Thread_local int last_error;

static atomic_llong used;

static long long capacity(void) {
    return setting("bytes", 80LL << 30);
}

static int device_error(void) {
    return (int)setting("error", SUCCESS);
}

/* --- the process ----------------------------------------------------------------------------- */

__attribute__((constructor)) static void opened(void) {
    note("opened %d", (int)getpid());
}

static void context(void) {
    static atomic_flag made = ATOMIC_FLAG_INIT;
    if (!atomic_flag_test_and_set(&made)) {
        note("context %d", (int)getpid());
    }
}

/* --- memory ---------------------------------------------------------------------------------- */

/* The block's size lies before it. */
static int take(void **block, size_t bytes) {
    void *memory;
    context();
    *block = NULL;
    if (atomic_fetch_add(&used, (long long)bytes) + (long long)bytes > capacity()) {
        atomic_fetch_sub(&used, (long long)bytes);
        note("refused %zu", bytes);
        return OUT_OF_MEMORY;
    }
    if (posix_memalign(&memory, ALIGNMENT, bytes + ALIGNMENT)) {
        atomic_fetch_sub(&used, (long long)bytes);
        return OUT_OF_MEMORY;
    }
    memset(memory, 0, bytes + ALIGNMENT);
    *(size_t *)memory = bytes;
    *block = (char *)memory + ALIGNMENT;
    note("malloc %zu %lld", bytes, (long long)atomic_load(&used));
    return SUCCESS;
}

static int give(void *block) {
    if (block != NULL) {
        char *memory = (char *)block - ALIGNMENT;
        size_t bytes = *(size_t *)memory;
        atomic_fetch_sub(&used, (long long)bytes);
        note("free %zu %lld", bytes, (long long)atomic_load(&used));
        free(memory);
    }
    return SUCCESS;
}

int cudaMalloc(void **block, size_t bytes) {
    return take(block, bytes);
}

int cudaMallocFromPoolAsync(void **block, size_t bytes, void *pool, void *stream) {
    (void)pool, (void)stream;
    return take(block, bytes);
}

int cudaFree(void *block) {
    return give(block);
}

int cudaFreeAsync(void *block, void *stream) {
    (void)stream;
    return give(block);
}

static struct {
    char *from;
    size_t bytes;
} pinned[1024];
static pthread_mutex_t pinning = PTHREAD_MUTEX_INITIALIZER;

/* The place of the block with this address in it, or of no block for NULL; negative if there is none. */
static int place(const void *address) {
    for (int i = 0; i < (int)(sizeof pinned / sizeof *pinned); i++) {
        if (address == NULL ? pinned[i].from == NULL : pinned[i].from != NULL && (size_t)((char *)address - pinned[i].from) < pinned[i].bytes) {
            return i;
        }
    }
    return -1;
}

static int is_pinned(const void *address) {
    pthread_mutex_lock(&pinning);
    int found = place(address);
    pthread_mutex_unlock(&pinning);
    return found >= 0;
}

int cudaMallocHost(void **block, size_t bytes) {
    context();
    note("pinned %zu", bytes);
    pthread_mutex_lock(&pinning);
    int free_place = place(NULL);
    int error = free_place < 0 || posix_memalign(block, ALIGNMENT, bytes) ? OUT_OF_MEMORY : SUCCESS;
    if (error == SUCCESS) {
        pinned[free_place].from = *block;
        pinned[free_place].bytes = bytes;
    }
    pthread_mutex_unlock(&pinning);
    return error;
}

int cudaHostAlloc(void **block, size_t bytes, unsigned flags) {
    int error = (int)setting("pinned-error", SUCCESS);
    (void)flags;
    if (error != SUCCESS) {
        note("not pinned %zu", bytes);
        last_error = error;
        return error;
    }
    return cudaMallocHost(block, bytes);
}

int cudaFreeHost(void *block) {
    pthread_mutex_lock(&pinning);
    int found = block == NULL ? -1 : place(block);
    if (found >= 0) {
        note("unpinned %zu", pinned[found].bytes);
        free(pinned[found].from);
        pinned[found].from = NULL;
    }
    pthread_mutex_unlock(&pinning);
    return SUCCESS;
}

int cudaMemGetInfo(size_t *unused, size_t *total) {
    context();
    *total = (size_t)capacity();
    *unused = (size_t)(capacity() - atomic_load(&used));
    return device_error();
}

/* --- copies ---------------------------------------------------------------------------------- */

int cudaMemcpy(void *to, const void *from, size_t bytes, int kind) {
    if (kind != ON_DEVICE && is_pinned(kind == TO_DEVICE ? from : to)) {
        note("direct %d %zu", kind, bytes);
    }
    note("copy %d %zu", kind, bytes);
    memmove(to, from, bytes);
    return SUCCESS;
}

int cudaMemcpyAsync(void *to, const void *from, size_t bytes, int kind, void *stream) {
    (void)stream;
    int error = (int)setting("copy-error", SUCCESS);
    long long delay = setting("copy-delay", 0);
    if (delay > 0) {
        usleep((useconds_t)delay);
    }
    return error != SUCCESS ? error : cudaMemcpy(to, from, bytes, kind);
}

int cudaMemcpy2DAsync(
        void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height, int kind, void *stream) {
    for (size_t row = 0; row < height; row++) {
        int error = cudaMemcpyAsync((char *)to + row * to_pitch, (const char *)from + row * from_pitch, width, kind, stream);
        if (error != SUCCESS) {
            return error;
        }
    }
    return SUCCESS;
}

int cudaMemset(void *block, int value, size_t bytes) {
    memset(block, value, bytes);
    return SUCCESS;
}

int cudaMemsetAsync(void *block, int value, size_t bytes, void *stream) {
    (void)stream;
    return cudaMemset(block, value, bytes);
}

/* --- the device ------------------------------------------------------------------------------ */

int cudaGetDeviceCount(int *count) {
    int error = device_error();
    *count = error == SUCCESS ? 1 : 0;
    return error;
}

int cudaGetDevice(int *device) {
    *device = 0;
    return device_error();
}

int cudaSetDevice(int device) {
    (void)device;
    context();
    return device_error();
}

/* Offsets of struct cudaDeviceProp in CUDA 13, which has 1008 bytes. */
enum {
    NAME = 0,
    UUID = 256,
    MEMORY = 288,
    SHARED_MEMORY_PER_BLOCK = 296,
    REGISTERS_PER_BLOCK = 304,
    WARP_SIZE = 308,
    THREADS_PER_BLOCK = 320,
    THREADS_DIMENSIONS = 324,
    GRID_SIZE = 336,
    MAJOR = 360,
    MINOR = 364,
    MULTIPROCESSORS = 384,
    L2_CACHE = 596,
    THREADS_PER_MULTIPROCESSOR = 604,
    SHARED_MEMORY_PER_MULTIPROCESSOR = 624,
    REGISTERS_PER_MULTIPROCESSOR = 632,
    SHARED_MEMORY_PER_BLOCK_OPTIN = 672,
    PROPERTIES_SIZE = 1008
};

static void put_int(char *properties, int offset, int value) {
    memcpy(properties + offset, &value, sizeof value);
}

static void put_size(char *properties, int offset, size_t value) {
    memcpy(properties + offset, &value, sizeof value);
}

/* An H100's numbers. */
int cudaGetDeviceProperties(void *to, int device) {
    char *properties = to;
    int capability = (int)setting("capability", 90);
    (void)device;
    memset(properties, 0, PROPERTIES_SIZE);
    strcpy(properties + NAME, "fake");
    for (int i = 0; i < 16; i++) {
        properties[UUID + i] = (char)(i + 1);
    }
    put_size(properties, MEMORY, (size_t)capacity());
    put_size(properties, SHARED_MEMORY_PER_BLOCK, 49152);
    put_int(properties, REGISTERS_PER_BLOCK, 65536);
    put_int(properties, WARP_SIZE, 32);
    put_int(properties, THREADS_PER_BLOCK, 1024);
    put_int(properties, THREADS_DIMENSIONS, 1024);
    put_int(properties, THREADS_DIMENSIONS + 4, 1024);
    put_int(properties, THREADS_DIMENSIONS + 8, 64);
    put_int(properties, GRID_SIZE, 2147483647);
    put_int(properties, GRID_SIZE + 4, 65535);
    put_int(properties, GRID_SIZE + 8, 65535);
    put_int(properties, MAJOR, capability / 10);
    put_int(properties, MINOR, capability % 10);
    put_int(properties, MULTIPROCESSORS, 132);
    put_int(properties, L2_CACHE, 50 << 20);
    put_int(properties, THREADS_PER_MULTIPROCESSOR, 2048);
    put_size(properties, SHARED_MEMORY_PER_MULTIPROCESSOR, 233472);
    put_int(properties, REGISTERS_PER_MULTIPROCESSOR, 65536);
    put_size(properties, SHARED_MEMORY_PER_BLOCK_OPTIN, 232448);
    return device_error();
}

/* Values of enum cudaDeviceAttr. */
int cudaDeviceGetAttribute(int *value, int attribute, int device) {
    int capability = (int)setting("capability", 90);
    (void)device;
    switch (attribute) {
        case 16: *value = 132; break;
        case 75: *value = capability / 10; break;
        case 76: *value = capability % 10; break;
        case 97: *value = 232448; break;
        default: *value = 0;
    }
    return SUCCESS;
}

int cudaDriverGetVersion(int *version) {
    *version = (int)setting("driver", 13000);
    return SUCCESS;
}

int cudaRuntimeGetVersion(int *version) {
    *version = 13000;
    return SUCCESS;
}

/* --- errors ---------------------------------------------------------------------------------- */

const char *cudaGetErrorName(int error) {
    (void)error;
    return "cudaErrorFake";
}

int cudaPeekAtLastError(void) {
    return last_error;
}

int cudaGetLastError(void) {
    int error = last_error;
    if (error != SUCCESS) {
        note("cleared %d", error);
    }
    last_error = SUCCESS;
    return error;
}

/* The texts of NVIDIA's library where ours are parsed by number only. */
const char *cudaGetErrorString(int error) {
    static _Thread_local char text[64];
    switch (error) {
        case 2: return "out of memory";
        case 35: return "CUDA driver version is insufficient for CUDA runtime version";
        case 100: return "no CUDA-capable device is detected";
        case 209: return "no kernel image is available for execution on the device";
        case 700: return "an illegal memory access was encountered";
        case 719: return "unspecified launch failure";
        default: snprintf(text, sizeof text, "fake error %d", error); return text;
    }
}

/* --- streams, events, kernels ---------------------------------------------------------------- */

static int handle(void **made) {
    *made = malloc(16);
    return *made == NULL ? OUT_OF_MEMORY : SUCCESS;
}

int cudaStreamCreate(void **stream) {
    return device_error() == SUCCESS ? handle(stream) : device_error();
}

int cudaStreamCreateWithFlags(void **stream, unsigned flags) {
    (void)flags;
    return cudaStreamCreate(stream);
}

int cudaStreamDestroy(void *stream) {
    free(stream);
    return SUCCESS;
}

int cudaStreamIsCapturing(void *stream, int *capturing) {
    (void)stream;
    *capturing = 0;
    return SUCCESS;
}

int cudaStreamBeginCapture(void *stream, int mode) {
    (void)stream, (void)mode;
    note("capture");
    return SUCCESS;
}

int cudaEventCreate(void **event) {
    return handle(event);
}

int cudaEventCreateWithFlags(void **event, unsigned flags) {
    (void)flags;
    return handle(event);
}

int cudaEventDestroy(void *event) {
    free(event);
    return SUCCESS;
}

int cudaMemPoolCreate(void **pool, const void *properties) {
    (void)properties;
    return handle(pool);
}

int cudaMemPoolDestroy(void *pool) {
    free(pool);
    return SUCCESS;
}

int cudaLaunchHostFunc(void *stream, void (*function)(void *), void *data) {
    (void)stream;
    function(data);
    return SUCCESS;
}

static int launch(void) {
    note("launch");
    return (int)setting("launch-error", SUCCESS);
}

int cudaLaunchKernel(void) {
    return launch();
}

int __cudaLaunchKernel(void) {
    return launch();
}

int cudaLaunchKernelExC(void) {
    return launch();
}

int cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks) {
    *blocks = 1;
    return SUCCESS;
}

void *__cudaRegisterFatBinary(void *code) {
    static char registered[64];
    (void)code;
    return registered;
}

/* What needs to do nothing. */
#define NOTHING(function) \
    int function(void) {  \
        return SUCCESS;   \
    }

NOTHING(__cudaGetKernel)
NOTHING(__cudaPopCallConfiguration)
NOTHING(__cudaPushCallConfiguration)
NOTHING(__cudaRegisterFatBinaryEnd)
NOTHING(__cudaRegisterFunction)
NOTHING(__cudaRegisterVar)
NOTHING(__cudaUnregisterFatBinary)
NOTHING(cudaDeviceSynchronize)
NOTHING(cudaEventElapsedTime)
NOTHING(cudaEventRecord)
NOTHING(cudaEventSynchronize)
NOTHING(cudaFuncGetAttributes)
NOTHING(cudaFuncSetAttribute)
NOTHING(cudaGetDriverEntryPointByVersion)
NOTHING(cudaGraphDestroy)
NOTHING(cudaGraphExecDestroy)
NOTHING(cudaGraphInstantiate)
NOTHING(cudaGraphLaunch)
NOTHING(cudaKernelSetAttributeForDevice)
NOTHING(cudaLibraryGetKernel)
NOTHING(cudaLibraryLoadData)
NOTHING(cudaLibraryUnload)
NOTHING(cudaMemcpyFromSymbol)
NOTHING(cudaMemPoolGetAttribute)
NOTHING(cudaMemPoolSetAttribute)
NOTHING(cudaMemPoolTrimTo)
NOTHING(cudaStreamEndCapture)
NOTHING(cudaStreamSynchronize)
NOTHING(cudaStreamWaitEvent)
