/* Functions of NVIDIA's libraries that report success and do nothing, or make a handle. */
#include <stdlib.h>

#define NOTHING(function) \
    int function(void) {  \
        return 0;         \
    }

#define HANDLE(function)             \
    int function(void **made) {      \
        *made = malloc(64);          \
        return *made == NULL;        \
    }
