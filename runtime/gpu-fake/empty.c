/* A library that must be there and of which nothing is called: libcuda.so.1 and libcurand.so.10. */
int fake_library = 1;
