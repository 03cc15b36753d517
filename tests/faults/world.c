/* What is around the owner, made up from outside as the file named by FAULTS_WORLD has it (two numbers of 8 bytes, of
 * this machine's byte order): so many milliseconds are added to CLOCK_REALTIME; while the other is not 0 no file can
 * grow, for want of room on the device (ENOSPC). The product has no hook for this, and needs none.
 * Programs that the owner starts live in the true world. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static volatile const int64_t *world; /* skew in ms, full */
static int (*true_time)(clockid_t, struct timespec *);
static ssize_t (*true_write)(int, const void *, size_t);
static ssize_t (*true_pwrite)(int, const void *, size_t, off_t);

__attribute__((constructor)) static void begin(void) {
    true_time = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    true_write = (ssize_t(*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
    true_pwrite = (ssize_t(*)(int, const void *, size_t, off_t))dlsym(RTLD_NEXT, "pwrite64");
    const char *path = getenv("FAULTS_WORLD");
    int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (file >= 0) {
        void *page = mmap(NULL, 2 * sizeof *world, PROT_READ, MAP_SHARED, file, 0);
        if (page != MAP_FAILED)
            world = page;
        close(file);
    }
    unsetenv("LD_PRELOAD");
}

int clock_gettime(clockid_t clock, struct timespec *at) {
    if (!true_time)
        begin();
    int failed = true_time(clock, at);
    if (!failed && clock == CLOCK_REALTIME && world) {
        int64_t skew = world[0];
        at->tv_sec += skew / 1000;
        at->tv_nsec += skew % 1000 * 1000000;
        if (at->tv_nsec >= 1000000000) {
            at->tv_nsec -= 1000000000;
            at->tv_sec += 1;
        } else if (at->tv_nsec < 0) {
            at->tv_nsec += 1000000000;
            at->tv_sec -= 1;
        }
    }
    return failed;
}

int gettimeofday(struct timeval *restrict at, void *restrict zone) {
    (void)zone;
    struct timespec now;
    if (clock_gettime(CLOCK_REALTIME, &now))
        return -1;
    at->tv_sec = now.tv_sec;
    at->tv_usec = now.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *at) {
    struct timespec now;
    if (clock_gettime(CLOCK_REALTIME, &now))
        return (time_t)-1;
    if (at)
        *at = now.tv_sec;
    return now.tv_sec;
}

/* Whether there is no room for so many bytes at this place (-1: where the file is, or at its end). */
static int full(int file, size_t bytes, off_t at) {
    struct stat known;
    if (!world || !world[1] || fstat(file, &known) || !S_ISREG(known.st_mode))
        return 0;
    if (at < 0)
        at = fcntl(file, F_GETFL) & O_APPEND ? known.st_size : lseek(file, 0, SEEK_CUR);
    return at + (off_t)bytes > known.st_size;
}

ssize_t write(int file, const void *from, size_t bytes) {
    if (!true_write)
        begin();
    if (!full(file, bytes, -1))
        return true_write(file, from, bytes);
    errno = ENOSPC;
    return -1;
}

ssize_t pwrite64(int file, const void *from, size_t bytes, off64_t at) {
    if (!true_pwrite)
        begin();
    if (!full(file, bytes, at))
        return true_pwrite(file, from, bytes, at);
    errno = ENOSPC;
    return -1;
}

ssize_t pwrite(int file, const void *from, size_t bytes, off_t at) {
    return pwrite64(file, from, bytes, at);
}
