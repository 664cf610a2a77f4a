/*
 * The functions of NVIDIA's management library, libnvidia-ml.so.1, that a replica uses; of the one device of cudart.c. A test
 * sets, in the same folder:
 *
 *   utilization         percent of the time in which the device computes; otherwise 0
 *   memory-utilization  percent of the time in which its memory is used; otherwise 0
 *   xid                 an error that is reported once, to one process that waits for it
 */
#include "settings.h"

#include <string.h>
#include <unistd.h>

enum { SUCCESS = 0, INVALID_ARGUMENT = 2, NOT_FOUND = 6, TIMEOUT = 10, XID = 8, LOOK_MILLIS = 5 };

static const char *const UUID = "GPU-01020304-0506-0708-090a-0b0c0d0e0f10";
static char device, events;
static int initialized;

int nvmlInit_v2(void) {
    initialized = 1;
    return SUCCESS;
}

int nvmlDeviceGetHandleByUUID(const char *uuid, void **found) {
    *found = &device;
    return !initialized ? INVALID_ARGUMENT : strcmp(uuid, UUID) == 0 ? SUCCESS : NOT_FOUND;
}

int nvmlDeviceGetUtilizationRates(void *of, unsigned percent[2]) {
    percent[0] = (unsigned)setting("utilization", 0);
    percent[1] = (unsigned)setting("memory-utilization", 0);
    return of == &device ? SUCCESS : INVALID_ARGUMENT;
}

int nvmlEventSetCreate(void **made) {
    *made = &events;
    return SUCCESS;
}

int nvmlDeviceRegisterEvents(void *of, unsigned long long types, void *set) {
    return of == &device && types == XID && set == &events ? SUCCESS : INVALID_ARGUMENT;
}

struct event {
    void *device;
    unsigned long long type, data;
    unsigned gpu_instance, compute_instance;
};

int nvmlEventSetWait_v2(void *set, struct event *event, unsigned timeout_millis) {
    for (unsigned waited = 0; set == &events && waited < timeout_millis; waited += LOOK_MILLIS) {
        long long xid = once("xid");
        if (xid >= 0) {
            *event = (struct event){.device = &device, .type = XID, .data = (unsigned long long)xid};
            return SUCCESS;
        }
        usleep(LOOK_MILLIS * 1000);
    }
    return set == &events ? TIMEOUT : INVALID_ARGUMENT;
}
