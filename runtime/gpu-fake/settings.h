/*
 * How a test steers the fake CUDA runtime: by files in the folder "fake" beside
 * libcudart.so.13, which are read at each call. Without that folder nothing is set and nothing is logged.
 */
#ifndef FAKE_CUDA_SETTINGS_H
#define FAKE_CUDA_SETTINGS_H

/* The number in file NAME; otherwise, if there is none. */
long long setting(const char *name, long long otherwise);

/* The same once: takes the file away; -1 if there is none. Of several processes one gets it. */
long long once(const char *name);

/* Appends one line to the file "log". */
void note(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
