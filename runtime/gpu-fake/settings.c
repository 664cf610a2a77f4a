#define _GNU_SOURCE
#include "settings.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef SETTINGS
#define SETTINGS "fake"
#endif

/* The path of a file of the folder, which PATH gets; 0 if there is none. */
static int find_file(const char *name, char path[PATH_MAX]) {
    Dl_info library;
    if (dladdr(find_file, &library) == 0) {
        return 0;
    }
    const char *slash = strrchr(library.dli_fname, '/');
    int folder = slash == NULL ? 0 : (int)(slash - library.dli_fname) + 1;
    return snprintf(path, PATH_MAX, "%.*s" SETTINGS "/%s", folder, library.dli_fname, name) < PATH_MAX;
}

/* Opens a file of the folder; negative if there is no folder, or no such file. */
static int open_file(const char *name, int flags) {
    char path[PATH_MAX];
    return find_file(name, path) ? open(path, flags | O_CLOEXEC, 0644) : -1;
}

long long setting(const char *name, long long otherwise) {
    char text[32];
    int file = open_file(name, O_RDONLY);
    if (file < 0) {
        return otherwise;
    }
    ssize_t length = read(file, text, sizeof text - 1);
    close(file);
    if (length <= 0) {
        return otherwise;
    }
    text[length] = 0;
    return strtoll(text, NULL, 10);
}

long long once(const char *name) {
    char path[PATH_MAX];
    long long value = setting(name, -1);
    return value < 0 || !find_file(name, path) || unlink(path) != 0 ? -1 : value;
}

void note(const char *format, ...) {
    char line[256];
    int file = open_file("log", O_WRONLY | O_CREAT | O_APPEND);
    if (file < 0) {
        return;
    }
    va_list values;
    va_start(values, format);
    int length = vsnprintf(line, sizeof line - 1, format, values);
    va_end(values);
    if (length > (int)sizeof line - 2) {
        length = sizeof line - 2;
    }
    line[length++] = '\n';
    /* One write, so that lines of several threads and processes do not mix. */
    if (write(file, line, length) < 0) {
        abort();
    }
    close(file);
}
